"""Which uploads to an object of S3 are open, and an end to one of them: obstore does not tell their numbers. The two
requests are signed here, as far as the keys are in the environment or a profile; of other stores, and with other
credentials, nothing is known."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import hmac
import html
import http.client
import os
import re
import shlex
import urllib.parse
from collections.abc import Iterator
from typing import Any, NamedTuple

from .._errors import ArgumentError, Error
from .._report import warn_caller
from . import profiles
from .listing import MAGIC
from .store import SILENCE, ObjectName

_TOLD = re.compile("<(Key|UploadId|Initiated)>(.*?)</", re.DOTALL)
# Where a page of a list ends, and what the next one is asked for by.
_MARKERS = {"NextKeyMarker": "key-marker", "NextUploadIdMarker": "upload-id-marker"}
# The clock of a store, and that of this machine.
_CLOCKS_DIFFER = datetime.timedelta(minutes=5)
_RULE = "a rule of the bucket for uploads that are not completed"
_EMPTY = hashlib.sha256(b"").hexdigest()
_ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")
_REGIONS = ("AWS_REGION", "AWS_DEFAULT_REGION")


class OpenUpload(NamedTuple):
    """begun: when, as the store tells it."""
    key: str
    number: str
    begun: str


def open_uploads(name: ObjectName, prefix: str | None = None) -> list[OpenUpload] | None:
    """To the object, or to all whose keys begin with a prefix. None if that cannot be asked."""
    found: list[OpenUpload] = []
    place: dict[str, str] = {}
    while True:
        answer = _asked("GET", name, "", {"prefix": name.key if prefix is None else prefix, "uploads": "", **place})
        if answer is None or answer[0] != 200:
            return None
        for upload in re.findall("<Upload>(.*?)</Upload>", answer[1], re.DOTALL):
            told = {tag: html.unescape(text) for tag, text in _TOLD.findall(upload)}
            if told.keys() == {"Key", "UploadId", "Initiated"} and (prefix is not None or told["Key"] == name.key):
                found.append(OpenUpload(told["Key"], told["UploadId"], told["Initiated"]))
        if re.search(r"<IsTruncated>\s*true\s*</", answer[1]) is None:
            return found
        before, place = place, _next_page(answer[1])
        if place.keys() != set(_MARKERS.values()) or place == before:
            return None  # the rest cannot be asked for


def _next_page(answer: str) -> dict[str, str]:
    """Where the rest of a list begins, as words of a query, as far as that is told."""
    found = {word: re.search(f"<{tag}>(.*?)</{tag}>", answer, re.DOTALL) for tag, word in _MARKERS.items()}
    return {word: html.unescape(marker[1]) for word, marker in found.items() if marker}


def tell_left_open(name: ObjectName, since: datetime.datetime, are_below: bool = False) -> bool:
    """Warns of uploads that are open. Of those begun since then nobody else knows, if an answer of the store was lost;
    older ones may be of a sort that was killed. Whether the store could be asked."""
    folder = name.key.rstrip("/")
    found = open_uploads(name, (f"{folder}/" if folder else "") if are_below else None)
    for upload in found or ():
        place = name.of_key(upload.key)
        is_new = datetime.datetime.fromisoformat(upload.begun) >= since - _CLOCKS_DIFFER
        before = "" if is_new else ", before this sort,"
        warn_caller(f"an upload to '{place}' that was begun at {upload.begun}{before} is open, and costs: "
                    f"{how_to_end(place, upload.number)}, unless another program sends it")
    return found is not None


def end_uploads(name: ObjectName) -> Iterator[OpenUpload]:
    """Ends all uploads to an object, or to those whose keys begin with a name that ends in /, whoever has begun them,
    and gives each that is ended. Raises Error where that cannot be asked, or one cannot be ended."""
    if name.kind != "s3":
        raise ArgumentError(f"'{name}' is not on S3, and end-uploads is for S3: give s3://bucket/name"
                            + (f"; {_RULE} ends them" if name.kind == "gs" else ""))
    if not name.key and not name.endswith("/"):
        raise ArgumentError(f"'{name}' names no object: give {name}/name, or {name}/ to end all uploads to the bucket")
    found = open_uploads(name, name.key if name.endswith("/") else None)
    if found is None:
        raise Error(f"cannot list uploads to '{name}': {_why_unlisted()}; {_RULE} ends them")
    if not found and MAGIC.search(name.key):
        raise ArgumentError(f"no upload to '{name}' is open, and end-uploads takes no patterns: give the name of one "
                            "object, or a prefix that ends in '/'")
    for upload in found:
        if not end_upload(name.of_key(upload.key), upload.number):
            place = name.of_key(upload.key)
            raise Error(f"cannot end the upload to '{place}' that was begun at {upload.begun}: the store refuses it; "
                        f"{how_to_end(place, upload.number)}")
        yield upload


def _why_unlisted() -> str:
    if _is_unsigned():
        return "AWS_SKIP_SIGNATURE is set, and only requests that are signed may list them: take it away"
    keys = None
    with contextlib.suppress(Exception):  # what it tells may show what is signed
        keys = _keys(profiles.s3_options())
    if keys is None:
        return "the keys are neither in the environment nor in a profile"
    return "the keys may not list uploads, or the store has no such list or gives no answer"


def end_upload(name: ObjectName, number: str) -> bool:
    """Whether it is not open any more."""
    answer = _asked("DELETE", name, name.key, {"uploadId": number})
    return answer is not None and answer[0] in (200, 204, 404)


def how_to_end(name: ObjectName, number: str | None = None) -> str:
    """A remedy for an upload that may be open."""
    bucket = name.bucket
    if name.kind != "s3":
        return f"{_RULE} ends it"
    endpoint = _first_of(_ENDPOINTS)
    place = ["--bucket", bucket, *(["--endpoint-url", endpoint] if endpoint and "@" not in endpoint else [])]
    if number is None:
        command = shlex.join(["aws", "s3api", "list-multipart-uploads", *place, "--prefix", name.key])
        return f"'{command}' lists it, and a rule of the bucket ends it"
    command = shlex.join(["aws", "s3api", "abort-multipart-upload", *place, "--key", name.key, "--upload-id", number])
    return f"end it with '{command}'"


def _first_of(names: tuple[str, ...]) -> str:
    return next((os.environ[name] for name in names if os.environ.get(name)), "")


def _asked(method: str, name: ObjectName, key: str, query: dict[str, str]) -> tuple[int, str] | None:
    """Status and text of the answer."""
    if name.kind != "s3" or _is_unsigned():
        return None
    try:
        options = profiles.s3_options()
        keys = _keys(options)
        if keys is None:
            return None
        region = _first_of(_REGIONS) or options.get("region", "us-east-1")
        endpoint = _first_of(_ENDPOINTS) or options.get("endpoint") or f"https://s3.{region}.amazonaws.com"
        return _signed_request(method, urllib.parse.urlsplit(endpoint), f"{name.bucket}/{key}" if key else name.bucket,
                               query, region, keys)
    except Exception:
        return None  # nothing depends on it, and what it tells may show what is signed


def _is_unsigned() -> bool:
    return bool(os.environ.get("AWS_SKIP_SIGNATURE"))


def _keys(options: dict[str, Any]) -> dict[str, str] | None:
    told = {"access_key_id": os.environ.get("AWS_ACCESS_KEY_ID", ""),
            "secret_access_key": os.environ.get("AWS_SECRET_ACCESS_KEY", ""),
            "token": os.environ.get("AWS_SESSION_TOKEN", "")}
    if not told["access_key_id"]:
        told = {"access_key_id": options.get("access_key_id", ""),
                "secret_access_key": options.get("secret_access_key", ""), "token": options.get("session_token", "")}
    if not told["access_key_id"] and "credential_provider" in options:
        told = {key: value or "" for key, value in options["credential_provider"]().items()
                if isinstance(value, (str, type(None)))}
    return told if told.get("access_key_id") and told.get("secret_access_key") else None


def _signed_request(method: str, place: urllib.parse.SplitResult, path: str, query: dict[str, str], region: str,
                    keys: dict[str, str]) -> tuple[int, str]:
    quoted = f"{place.path.rstrip('/')}/{urllib.parse.quote(path, safe='/-_.~')}"
    words = "&".join(f"{name}={urllib.parse.quote(value, safe='-_.~')}" for name, value in sorted(query.items()))
    headers = signed_headers(f"{method}\n{quoted}\n{words}", place.netloc, region, keys,
                             datetime.datetime.now(datetime.timezone.utc))
    kind = http.client.HTTPSConnection if place.scheme == "https" else http.client.HTTPConnection
    connection = kind(place.netloc, timeout=SILENCE.total_seconds())
    try:
        connection.request(method, f"{quoted}?{words}", headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode(errors="replace")
    finally:
        connection.close()


def signed_headers(asked: str, host: str, region: str, keys: dict[str, str], now: datetime.datetime) -> dict[str, str]:
    """Signed as AWS's version 4 has it. asked: method, path and query of a request without content, each on a line."""
    headers = {"host": host, "x-amz-content-sha256": _EMPTY, "x-amz-date": now.strftime("%Y%m%dT%H%M%SZ")}
    if keys.get("token"):
        headers["x-amz-security-token"] = keys["token"]
    signed = ";".join(sorted(headers))
    canonical = "\n".join([asked, *(f"{name}:{headers[name]}" for name in sorted(headers)), "", signed, _EMPTY])
    scope = f"{now:%Y%m%d}/{region}/s3/aws4_request"
    text = "\n".join(["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, hashlib.sha256(canonical.encode()).hexdigest()])
    key = f"AWS4{keys['secret_access_key']}".encode()
    for part in (*scope.split("/"), text):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    headers["authorization"] = (f"AWS4-HMAC-SHA256 Credential={keys['access_key_id']}/{scope}, SignedHeaders={signed}, "
                                f"Signature={key.hex()}")
    return headers
