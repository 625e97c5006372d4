"""One spelling of OpenAI Chat Completions bodies.

- A string is one text part, in every role and in `prediction`.
- Argument texts are compared as JSON with its key order.
- `developer` is `system`; `max_tokens` is `max_completion_tokens`.
- `functions`, `function_call` and role `function` become `tools`, `tool_choice`,
  `tool_calls` and role `tool`. The old form has no ids, so the ids of the new form are
  free, and it names the function in the result where the new form has the id: that name
  may go.
"""

from .reshape import (
    each,
    elements,
    free,
    listing,
    optional,
    parse_arguments,
    record,
    rename,
    replace_text,
    text_of,
    widen,
)
from .tree import Node, Standing


def spell_request(root: Node) -> None:
    """Bring a request to the one spelling."""
    _spell_functions(root)
    _spell_function_choice(root)
    rename(root, "max_tokens", "max_completion_tokens")
    each(elements(root, "messages"), spell_message)
    prediction = root.members.get("prediction")
    if prediction is not None:
        widen(prediction, "content", "text")


def spell_response(root: Node) -> None:
    """Bring a response to the one spelling."""
    each(elements(root, "choices"), _spell_choice)


def _spell_choice(choice: Node) -> None:
    message = choice.members.get("message")
    if message is not None:
        spell_message(message)
    replace_text(choice, "finish_reason", "function_call", "tool_calls")


def spell_message(message: Node) -> None:
    """Bring one message to the one spelling."""
    _spell_function_call(message)
    _spell_function_result(message)
    replace_text(message, "role", "developer", "system")
    widen(message, "content", "text")
    content = message.members.get("content")
    if content is not None and content.value is None and text_of(message, "role") == "assistant":
        content.standing = Standing.DEFAULT  # SDK ChatCompletionAssistantMessageParam: Optional
    each(elements(message, "tool_calls"), _spell_tool_call)


def _spell_tool_call(call: Node) -> None:
    function = call.members.get("function")
    if function is not None:
        parse_arguments(function, "arguments")


def _spell_function_call(message: Node) -> None:
    call = message.members.get("function_call")
    if call is None or not isinstance(call.value, dict) or "tool_calls" in message.members:
        return
    del message.members["function_call"]
    wrapped = record({"type": "function", "function": call}, call)
    free(wrapped, "id")
    message.members["tool_calls"] = listing([wrapped], call)


def _spell_function_result(message: Node) -> None:
    if text_of(message, "role") != "function":
        return
    message.members["role"].value = "tool"
    free(message, "tool_call_id")
    optional(message, "name", text_of(message, "name") or "")


def _spell_functions(root: Node) -> None:
    functions = root.members.get("functions")
    if functions is None or "tools" in root.members or not isinstance(functions.value, list):
        return
    del root.members["functions"]
    tools = [record({"type": "function", "function": item}, item) for item in functions.value]
    root.members["tools"] = listing(tools, functions)


def _spell_function_choice(root: Node) -> None:
    choice = root.members.get("function_call")
    if choice is None or "tool_choice" in root.members:
        return
    del root.members["function_call"]
    named = isinstance(choice.value, dict)
    newer = record({"type": "function", "function": choice}, choice) if named else choice
    root.members["tool_choice"] = newer
