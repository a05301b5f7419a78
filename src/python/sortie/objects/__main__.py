"""python -m sortie.objects: objects of stores for programs that read and write pipes, as the command sortie does.

    get [--ahead=BYTES] URL
              writes the bytes of an object to standard output. --ahead: how many are read ahead
    put [--blocks] [--scratch=FOLDER] URL
              writes an object from standard input, to its end. --blocks: from blocks, each behind its length in 8
              bytes, the least significant one first; a length of 0 completes it. Without it nothing becomes visible:
              whoever wrote the blocks has failed. --scratch: where an object waits that cannot be sent in parts
    list URL  prints the objects that a pattern, or a prefix that ends in '/', means
    end-uploads URL
              ends all uploads to an object of S3, or to those below a prefix that ends in '/', that are not complete,
              and prints them: a sort that was killed may have left them open. s3://bucket/ means those of the whole
              bucket. Another program that still sends one of them fails

What fails is told in one line on standard error, with exit status 2."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from typing import BinaryIO, NoReturn

from .._commands import Ended, ended_by, handle_ends
from .._errors import Error, without_controls
from .listing import objects_like
from .open_uploads import end_uploads
from .read_ahead import ReadAhead
from .reading import BLOCK_BYTES
from .store import ObjectName, is_url

_PIECE_BYTES = 1 << 20
_LENGTH_BYTES = 8
_USAGES = {"get": "get [--ahead=BYTES] URL", "put": "put [--blocks] [--scratch=FOLDER] URL", "list": "list URL",
           "end-uploads": "end-uploads URL"}


def get(url: str, ahead_bytes: int | None) -> None:
    name = ObjectName(url)
    if ahead_bytes is not None:
        name.ahead = ReadAhead(ahead_bytes // BLOCK_BYTES)
    with name.open_source() as file:
        while piece := file.read(_PIECE_BYTES):
            _write_all(piece)


def _write_all(piece: bytes) -> None:
    left = memoryview(piece)
    while left:
        left = left[os.write(1, left):]


def put(url: str, pieces: Iterator[bytes], scratch: str | None) -> None:
    output = ObjectName(url).create(scratch)
    try:
        for piece in pieces:
            output.write(piece)
        output.finish()
    finally:
        output.discard()


def _to_the_end(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(_PIECE_BYTES):
        yield piece


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    while left := int.from_bytes(_exactly(file, _LENGTH_BYTES), "little"):
        while left:
            piece = _exactly(file, min(left, _PIECE_BYTES))
            left -= len(piece)
            yield piece


def _exactly(file: BinaryIO, size: int) -> bytes:
    piece = file.read(size)
    if len(piece) < size:
        raise Error("standard input ended before the object was complete: nothing was written")
    return piece


def end(name: ObjectName) -> None:
    number = 0
    for number, upload in enumerate(end_uploads(name), 1):
        print(without_controls(f"{name.of_key(upload.key)} begun at {upload.begun}"), flush=True)
    if not number:
        print(without_controls(f"no upload to '{name}' is open"), file=sys.stderr)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Error(f"usage: python -m sortie.objects {self.usage}")


def _parser(action: str) -> _Parser:
    """Each action has options of its own."""
    parser = _Parser(allow_abbrev=False, add_help=False, usage=_USAGES.get(action, "|".join(_USAGES) + " URL"))
    if action not in _USAGES:
        parser.error("")
    if action == "get":
        parser.add_argument("--ahead", type=int)
    elif action == "put":
        parser.add_argument("--blocks", action="store_true")
        parser.add_argument("--scratch")
    parser.add_argument("url")
    return parser


def main(arguments: list[str]) -> None:
    action = arguments[0] if arguments else ""
    parser = _parser(action)
    given = parser.parse_args(arguments[1:])
    if not is_url(given.url):
        parser.error("")
    if action == "get":
        get(given.url, given.ahead)
    elif action == "put":
        put(given.url, (_blocks if given.blocks else _to_the_end)(sys.stdin.buffer), given.scratch)
    elif action == "end-uploads":
        end(ObjectName(given.url))
    else:
        for name in objects_like(ObjectName(given.url)):
            print(name)


def _run() -> int:
    try:
        handle_ends()
        main(sys.argv[1:])
    except KeyboardInterrupt:
        ended_by(signal.SIGINT)
    except Ended as end:
        ended_by(end.number)
    except BrokenPipeError:
        with contextlib.suppress(OSError):
            os.close(1)
        return 2
    except (Error, OSError) as error:
        print(without_controls(str(error)), file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(_run())
