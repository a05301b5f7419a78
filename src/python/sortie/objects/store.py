"""Where an object is: a URL as a store of obstore and a key. What a store refuses becomes one line that names the object, and
holds no credentials."""

from __future__ import annotations

import datetime
import errno
import fnmatch
import functools
import importlib
import os
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .._errors import ArgumentError, Error, MissingModuleError, file_error
from .._sources import is_hidden
from . import profiles

SCHEMES = ("s3", "gs", "az", "https", "http")
_WEB = ("https", "http")
_URL = re.compile(rf"({'|'.join(SCHEMES)})://", re.IGNORECASE)
_MAGIC = re.compile(r"[*?[]")

# A request is tried again after 5xx, lost connections and timeouts, in growing steps, as long as this lasts.
RETRIES: dict[str, Any] = {
    "max_retries": 10, "retry_timeout": datetime.timedelta(minutes=2),
    "backoff": {"init_backoff": datetime.timedelta(seconds=0.1), "max_backoff": datetime.timedelta(seconds=15), "base": 2}}
# Without a byte for so long a connection is lost; however slow it is, a range or a part has this time.
SILENCE, SLOWEST = datetime.timedelta(seconds=60), datetime.timedelta(minutes=10)


def is_url(thing: object) -> bool:
    return isinstance(thing, str) and _URL.match(thing) is not None


class State(NamedTuple):
    """What an object is, as far as its store tells. mark: changes when the object does: its ETag, else the time."""
    size: int
    tag: str | None
    mark: str


class ObjectName(str):
    """The URL of an object, as messages show it: without what is signed. Whoever needs a path has it as the str."""

    _url: str
    key: str
    is_web: bool

    def __new__(cls, url: str) -> ObjectName:
        scheme, rest = _parts(url)
        name = super().__new__(cls, shown(url))
        name.is_web = scheme in _WEB
        if name.is_web:
            name._url, name.key = url, ""
        else:
            place, _, name.key = rest.partition("/")
            name._url = f"{scheme}://{place}"
        return name

    def open_source(self) -> Any:
        from .reading import ObjectFile

        return ObjectFile(self)

    def meant(self) -> list[ObjectName]:
        """The objects that it means as a pattern or a prefix; itself, if it is none."""
        return objects_like(self)

    def create(self, packs: bool = True) -> Any:
        """An OutputFile. packs: whether a name that ends in .gz is packed."""
        packs = packs and self.lower().endswith(".gz")
        if self.is_web:
            from .web import WebOutput

            return WebOutput(self, self._url, packs)
        from .writing import ObjectOutput

        return ObjectOutput(self, packs)

    def __reduce__(self) -> tuple[Any, ...]:
        """Whoever unpickles it has no signature."""
        return ObjectName, (str(self),)

    @functools.cached_property
    def store(self) -> Any:
        """Raises Error without obstore, and for what it does not take."""
        scheme = self._url.partition(":")[0]
        options: dict[str, Any] = profiles.s3_options() if scheme == "s3" else {}
        is_plain = scheme == "http" or _may_be_plain(scheme) or options.get("endpoint", "").startswith("http://")
        options["retry_config"] = RETRIES
        options["client_options"] = {"timeout": SLOWEST, "read_timeout": SILENCE, "allow_http": is_plain}
        return asked(self, "open", require_obstore().store.from_url, self._url, **options)

    @functools.cached_property
    def state(self) -> State:
        """As it was when it was first asked for: all that is read later must be of the same object."""
        self.refuse_no_key()
        return state_of(asked(self, "read", require_obstore().head, self.store, self.key))

    def refuse_no_key(self) -> None:
        if not self.is_web and (not self.key or self.key.endswith("/")):
            raise ArgumentError(f"'{self}' names no object: give the name of one, as in {self.rstrip('/')}/name")


def state_of(told: Any) -> State:
    return State(told["size"], told["e_tag"], told["e_tag"] or str(told["last_modified"]))


def _parts(url: str) -> tuple[str, str]:
    """The scheme, in small letters, and what is behind the slashes. Refuses what would show credentials, or means nothing."""
    scheme, _, rest = url.partition("://")
    scheme = scheme.lower()
    place = rest.partition("/")[0]
    if _begin_of_place(rest):
        raise ArgumentError(f"'{shown(url)}' has a name or a password in front of '@': leave them out, and give credentials by "
                            "the environment or a profile")
    if not place:
        raise ArgumentError(f"'{shown(url)}' names no {'server' if scheme in _WEB else 'bucket'}: give "
                            f"{scheme}://{'server' if scheme in _WEB else 'bucket'}/name")
    return scheme, rest


def _begin_of_place(rest: str) -> int:
    """Where the server or the bucket begins: behind a user and a password, which may hold slashes."""
    place = rest.partition("/")[0]
    port = "" if place.startswith("[") else place.partition(":")[2]
    within = place if "@" in place else rest if port and not port.isdigit() else ""
    return within.rfind("@") + 1


def shown(url: str) -> str:
    """A URL without user, password, and of https:// without all behind '?' and '#', which may be signed."""
    scheme, _, rest = url.partition("://")
    if scheme.lower() in _WEB:
        rest = re.split("[?#]", rest)[0]
    return f"{scheme.lower()}://{rest[_begin_of_place(rest):]}"


def _may_be_plain(scheme: str) -> bool:
    """Whether the user has named an endpoint without TLS, as those on the loopback are."""
    names = {"s3": ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"), "gs": ("GOOGLE_BASE_URL",),
             "az": ("AZURE_STORAGE_ENDPOINT", "AZURE_ENDPOINT")}.get(scheme, ())
    return any(os.environ.get(name, "").startswith("http://") for name in names)


def require_obstore() -> Any:
    try:
        importlib.import_module("obstore.store")
        return importlib.import_module("obstore")
    except ImportError:
        raise MissingModuleError("objects on stores need obstore, which is not installed: pip install "
                                 "'sortie-sort[objects]'") from None


def objects_like(name: ObjectName) -> list[ObjectName]:
    """The objects that a pattern, or a prefix that ends in '/', means, in the order of their names. One that exists by its
    own name means itself. Raises Error if there are none."""
    if name.is_web or not (_MAGIC.search(name.key) or not name.key or name.key.endswith("/")):
        return [name]
    folder = _MAGIC.split(name.key)[0].rpartition("/")[0] if _MAGIC.search(name.key) else name.key.rstrip("/")
    is_meant = _chooser(name.key)
    keys = sorted(key for key in _listed(name, folder) if is_meant(key))
    if name.key in keys:
        return [name]
    if not keys:
        raise Error(f"nothing matches '{name}'")
    place = name._url
    found = [ObjectName(f"{place}/{key}") for key in keys]
    for each in found:
        each.__dict__["store"] = name.store  # one pool of connections for all
    return found


def _chooser(pattern: str) -> Callable[[str], bool]:
    """Whether a key is meant. A '*' stops at '/', but not '**'. In a prefix, what begins with '.' or '_' is hidden."""
    if not _MAGIC.search(pattern):
        return lambda key: key.startswith(pattern) and not any(not part or is_hidden(part)
                                                               for part in key[len(pattern):].split("/"))
    compiled = _pattern_of(pattern)
    return lambda key: key == pattern or compiled.fullmatch(key) is not None


def _pattern_of(pattern: str) -> re.Pattern[str]:
    parts = []
    for part in re.split(r"(\*\*/|\*\*|\[[^]]+\]|\*|\?)", pattern):
        one = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}.get(part)
        parts.append(one or (fnmatch.translate(part)[len("(?s:"):-len(r")\Z")] if part.startswith("[") else re.escape(part)))
    return re.compile("".join(parts), re.DOTALL)


def _listed(name: ObjectName, folder: str) -> Iterator[str]:
    obstore = require_obstore()
    pages = iter(asked(name, "list", obstore.list, name.store, prefix=folder or None, chunk_size=1000))
    while (page := asked(name, "list", next, pages, None)) is not None:
        yield from (item["path"] for item in page)


def asked(name: str, doing: str, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """What the function returns. Its errors become those of the package, without the first one behind them: that may show
    what was signed."""
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
         ("Requested ", "the store gave fewer bytes than it should"), ("Got invalid", "the store's answer makes no sense"))


def _plain_reason(error: Exception, text: str) -> str:
    """Nothing else of the text, which may show what was signed."""
    if "TimedOut" in text:
        return "no answer in time"
    line = (text.splitlines() or [""])[0]
    return next((plain for told, plain in _TOLD if told in line), f"the store's library failed ({type(error).__name__})")
