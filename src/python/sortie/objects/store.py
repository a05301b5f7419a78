"""Where an object is: a URL as a store of obstore and a key."""

from __future__ import annotations

import datetime
import functools
import importlib
import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from .._errors import ArgumentError, MissingModuleError
from . import profiles
from .store_errors import asked

if TYPE_CHECKING:
    from .._outputs import FolderOutput, OutputFile
    from .read_ahead import ReadAhead

SCHEMES = ("s3", "gs", "az", "https", "http")
_WEB = ("https", "http")
# What others call these.
_ALIASES = {"s3a": "s3", "s3n": "s3", "gcs": "gs", "abfs": "az", "abfss": "az"}
_URL = re.compile(rf"({'|'.join((*SCHEMES, *_ALIASES))})://", re.IGNORECASE)
# A container with its account is no user with a password.
_ACCOUNT = re.compile(r"abfss?://[^/@:]+@[A-Za-z0-9-]+\.", re.IGNORECASE)

# A request is tried again after 5xx, lost connections and timeouts, in growing steps, as long as this lasts.
RETRIES: dict[str, Any] = {
    "max_retries": 10, "retry_timeout": datetime.timedelta(minutes=2),
    "backoff": {"init_backoff": datetime.timedelta(seconds=0.1), "max_backoff": datetime.timedelta(seconds=15),
                "base": 2}}
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
    """The URL of an object, as messages show it: without what is signed. Whoever needs a path has it as the str. _url:
    of the bucket as obstore takes it, of the web the whole one; _bucket: as it was given."""

    _url: str
    _bucket: str
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
            name._bucket = f"{scheme}://{place}"
            name._url = f"{_ALIASES.get(scheme, scheme)}://{place}" if "@" not in place else name._bucket
        return name

    def open_source(self) -> Any:
        from .reading import ObjectFile

        return ObjectFile(self)

    def share_with(self, other: ObjectName) -> None:
        """What is read ahead of both counts together."""
        self.__dict__["ahead"] = other.ahead

    def meant(self) -> list[ObjectName]:
        """The objects that it means as a pattern or a prefix; itself, if it is none."""
        from .listing import objects_like

        return objects_like(self)

    def of_key(self, key: str) -> ObjectName:
        """Another object of the same bucket, by the same connections."""
        other = ObjectName(f"{self._bucket}/{key}")
        other.__dict__["store"] = self.store
        other.share_with(self)
        return other

    def within(self, *names: str) -> ObjectName:
        """What lies below it, if it is the name of a folder."""
        return self.of_key("/".join([*([self.key.rstrip("/")] if self.key.rstrip("/") else []), *names]))

    def names_within(self) -> list[str]:
        """The names of objects and of folders in it, as os.listdir() gives those of a folder."""
        from .listing import names_in_folder

        return names_in_folder(self)

    def create(self, scratch: Any = None, begun: Callable[[], None] | None = None) -> OutputFile:
        """scratch: where waits what cannot be sent at once. begun: as an Upload takes it."""
        if self.is_web:
            from .web import WebOutput

            return WebOutput(self, self._url, scratch)
        from .writing import ObjectOutput

        return ObjectOutput(self, begun)

    def open_uploads(self) -> list[str] | None:
        """The numbers of those to it that are open. None if that cannot be asked."""
        from .open_uploads import open_uploads

        found = open_uploads(self)
        return None if found is None else [upload.number for upload in found]

    def end_upload(self, number: str | None, since: datetime.datetime) -> None:
        """Ends one that was left open. Warns of those begun since then if it cannot, or the number is not known."""
        from .open_uploads import end_upload, tell_left_open

        if number is None or not end_upload(self, number):
            tell_left_open(self, since)

    def refuse_as_folder(self) -> None:
        """Raises Error unless nothing is below it, and objects can be put there."""
        from .listing import refuse_used_folder

        refuse_used_folder(self)

    def create_folder(self, scratch: Any) -> FolderOutput:
        from .folder import ObjectFolder

        return ObjectFolder(self, scratch)

    def __reduce__(self) -> tuple[Any, ...]:
        """Whoever unpickles it has no signature."""
        return ObjectName, (str(self),)

    @property
    def kind(self) -> str:
        """One of SCHEMES."""
        scheme = self._url.partition(":")[0]
        return _ALIASES.get(scheme, scheme)

    @property
    def bucket(self) -> str:
        return self._url.partition("://")[2]

    @functools.cached_property
    def store(self) -> Any:
        """Raises Error without obstore, and for what it does not take."""
        options: dict[str, Any] = profiles.s3_options() if self.kind == "s3" else {}
        is_plain = self.kind == "http" or _may_be_plain(self.kind) or options.get("endpoint", "").startswith("http://")
        options["retry_config"] = RETRIES
        options["client_options"] = {"timeout": SLOWEST, "read_timeout": SILENCE, "allow_http": is_plain}
        return asked(self, "open", require_obstore().store.from_url, self._url, **options)

    @functools.cached_property
    def ahead(self) -> ReadAhead:
        from .read_ahead import ReadAhead

        return ReadAhead()

    @functools.cached_property
    def state(self) -> State:
        """As it was when it was first asked for: all that is read later must be of the same object."""
        self.refuse_no_key()
        return state_of(asked(self, "read", require_obstore().head, self.store, self.key))

    def is_as_read(self) -> bool:
        """Whether it still is what `state` tells."""
        try:
            return state_of(asked(self, "read", require_obstore().head, self.store, self.key)) == self.state
        except FileNotFoundError:
            return False

    def refuse_no_key(self) -> None:
        if not self.is_web and (not self.key or self.key.endswith("/")):
            raise ArgumentError(f"'{self}' names no object: give the name of one, as in {self.rstrip('/')}/name")


def state_of(told: Any) -> State:
    return State(told["size"], told["e_tag"], told["e_tag"] or str(told["last_modified"]))


def _parts(url: str) -> tuple[str, str]:
    """The scheme, in small letters, and what is behind the slashes. Refuses what would show credentials, or means
    nothing."""
    scheme, _, rest = url.partition("://")
    scheme = scheme.lower()
    place = rest.partition("/")[0]
    if _begin_of_place(rest) and not _ACCOUNT.match(url):
        raise ArgumentError(f"'{shown(url)}' has a name or a password in front of '@': leave them out, and give "
                            "credentials by the environment or a profile")
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
    begin = 0 if _ACCOUNT.match(url) else _begin_of_place(rest)
    return f"{scheme.lower()}://{rest[begin:]}"


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
