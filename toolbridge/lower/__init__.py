"""Lowering: a canonical request made such that a target of other rules takes it.

Reading keeps what a wire said; an adapter writes what it is given. Between the two, for
another format only, stands this: broken histories are mended, ids and names mapped, content
moved to where the target can hold it, and each change is reported.
"""

from toolbridge.lower.error import lower_error
from toolbridge.lower.request import lower_request
from toolbridge.lower.response import lower_response

__all__ = ["lower_error", "lower_request", "lower_response"]
