"""One conversation with one model, and what came of it."""

from __future__ import annotations

from typing import Any, NamedTuple

from toolbridge.demo.conversations import CONVERSATIONS, MODELS, Conversation
from toolbridge.demo.tape import KEY, playing
from toolbridge.errors import MissingKeyError, MissingSDKError, ToolbridgeError
from toolbridge.loop import Answered, Run, run
from toolbridge.model import Model


class Played(NamedTuple):
    """What came of a conversation: the answers with what went over the wire, and the run or
    the error that ended it."""

    conversation: Conversation
    model: Model
    answers: tuple[Answered, ...]
    run: Run | None = None
    error: ToolbridgeError | None = None


def play(
    conversation: Conversation, model: Model, before: Run | None = None, **settings: Any
) -> Played:
    """Run a conversation with a model, after the one that came before. Raises MissingKeyError
    and MissingSDKError; any other error is what came of it."""
    history = before.messages if before is not None else ()
    answers: list[Answered] = []

    def watch(event: Any) -> None:
        if isinstance(event, Answered):
            answers.append(event)

    try:
        came = run(
            model,
            [*history, conversation.question],
            tools=conversation.tools,
            system=conversation.system,
            watch=watch,
            **settings,
        )
    except (MissingKeyError, MissingSDKError):
        raise
    except ToolbridgeError as error:
        return Played(conversation, model, tuple(answers), error=error)
    return Played(conversation, model, tuple(answers), came)


def cassette_model(format: str) -> Model:
    """The model of a cassette. No retries: a request that is not there stays an error."""
    return Model(f"{format}/{MODELS[format]}", api_key=KEY, max_retries=0)


def play_cassette(conversation: Conversation, format: str) -> Played:
    """Run a conversation with the answers of its cassette."""
    before = run_before(conversation)
    with playing(conversation.name, format):
        played = play(conversation, cassette_model(format), before)
        if played.error is not None:
            raise played.error
        return played


def run_before(conversation: Conversation) -> Run | None:
    """The conversation from which another was handed over, from its cassette."""
    if conversation.begun is None:
        return None
    begun = conversation.begun
    return play_cassette(CONVERSATIONS[begun.conversation], begun.format).run
