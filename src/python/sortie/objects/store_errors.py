"""What a store refuses, in one line that names the object and holds no credentials."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable
from typing import Any

from .._errors import Error, file_error


def asked(name: str, doing: str, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """What the function returns. Its errors become those of the package, without the first one behind them: that may
    show what was signed."""
    try:
        return function(*arguments, **options)
    except Error:
        raise
    except Exception as error:
        failure = plain_error(name, doing, error)
    raise failure


_STATUS = re.compile(r"status code: (\d{3})( [A-Z][A-Za-z -]*)?")
_RETRIES = re.compile(r"after (\d+) retries")
_CODE = re.compile(r"<Code>(\w+)</Code>")
_NUMBERS = {"403": errno.EACCES, "401": errno.EACCES, "404": errno.ENOENT}
_REASONS = {
    "412": "it changed while it was read: let nothing write to it, and begin again",
    "404": "no such object or bucket",
    "403": "the store refuses it: give credentials that may, by the environment or a profile",
    "401": "the store wants credentials: give them by the environment or a profile",
    "416": "it has fewer bytes than it had",
}


def is_refused(error: Exception) -> bool:
    """Whether the store has answered that it does not do what it was asked for."""
    status = _STATUS.search(str(error))
    return (status[1] if status else _status_by_class(error)).startswith("4")


def changed(name: str) -> Error:
    return Error(f"cannot read '{name}': {_REASONS['412']}")


def plain_error(name: str, doing: str, error: Exception) -> Error:
    """One line. Of what the library says only known words are taken."""
    text = str(error)
    status = _STATUS.search(text)
    number = status[1] if status else _status_by_class(error)
    code = _CODE.search(text)
    if number in _REASONS:
        reason = _REASONS[number] + (f" ({code[1]})" if code and number in ("403", "401") else "")
    elif status:
        reason = f"the store says {status[1]}{(status[2] or '').rstrip()}"
    elif code:
        reason = f"the store says {code[1]}"
    else:
        reason = _plain_reason(error, text)
    tries = _RETRIES.search(text)
    if tries and int(tries[1]):
        reason += f", {int(tries[1]) + 1} times"
    message = f"cannot {doing} '{name}': {reason}"
    return file_error(message, None, _NUMBERS[number], str(name)) if number in _NUMBERS else Error(message)


def _status_by_class(error: Exception) -> str:
    names = {"PreconditionError": "412", "PermissionDeniedError": "403", "UnauthenticatedError": "401"}
    if isinstance(error, FileNotFoundError):
        return "404"
    return names.get(type(error).__name__, "")


_TOLD = (("error sending request", "no connection"),
         ("request or response body error", "the connection was lost"),
         ("Could not parse path", "names with '//', '.' or '..' between slashes cannot be asked for"),
         ("Account must be specified", "give the account by AZURE_STORAGE_ACCOUNT_NAME"),
         ("Requested ", "the store gave fewer bytes than it should"),
         ("Got invalid", "the store's answer makes no sense"))


def _plain_reason(error: Exception, text: str) -> str:
    """Nothing else of the text, which may show what was signed."""
    if "TimedOut" in text:
        return "no answer in time"
    line = (text.splitlines() or [""])[0]
    return next((plain for told, plain in _TOLD if told in line),
                f"the store's library failed ({type(error).__name__})")
