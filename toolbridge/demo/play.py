"""One conversation with one model, and what came of it."""

from __future__ import annotations

from typing import Any, NamedTuple

from toolbridge.checkpoint.questions import Approve
from toolbridge.demo.conversations import CONVERSATIONS, MODELS, Conversation
from toolbridge.demo.tape import KEY, UnplayedError, playing
from toolbridge.errors import MissingKeyError, MissingSDKError, ToolbridgeError
from toolbridge.loop import Answered, Run, run
from toolbridge.loop.gate import Approver, Gate
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
    conversation: Conversation,
    model: Model,
    before: Run | None = None,
    approve: Approver = lambda question: Approve(),
    **settings: Any,
) -> Played:
    """Run a conversation with a model, after the one that came before; `approve` says whether
    what cannot be undone may be done. Raises MissingKeyError and MissingSDKError; any other error
    is what came of it."""
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
            gate=Gate(approve=approve),
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


def play_cassette(
    conversation: Conversation, format: str, approve: Approver = lambda question: Approve()
) -> Played:
    """Run a conversation with the answers of its cassette, to its end or to where it waits."""
    before = run_before(conversation)
    played: Played | None = None
    try:
        with playing(conversation.name, format):
            played = play(conversation, cassette_model(format), before, approve)
            if played.error is not None:
                raise played.error
    except UnplayedError:
        if played is None or played.run is None or played.run.stop_reason != "approval":
            raise
    assert played is not None
    return played


def run_before(conversation: Conversation) -> Run | None:
    """The conversation from which another was handed over, from its cassette."""
    if conversation.begun is None:
        return None
    begun = conversation.begun
    return play_cassette(CONVERSATIONS[begun.conversation], begun.format).run
