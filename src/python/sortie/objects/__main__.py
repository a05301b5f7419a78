"""python -m sortie.objects: objects of stores for programs that read and write pipes, as the command sortie does.

    get URL   writes the bytes of an object to standard output. --ahead=BYTES: how many are read ahead
    put URL   writes an object from standard input, to its end. --blocks: from blocks, each behind its length in 8
    bytes, the
              least first; a length of 0 completes it. Without it nothing becomes visible: whoever wrote the blocks has
              failed.
              --scratch=FOLDER: where an object waits that cannot be sent in parts
    list URL  prints the objects that a pattern, or a prefix that ends in '/', means
    end-uploads URL
              ends all uploads to an object of S3, or to those below a prefix that ends in '/', that are not complete,
              and prints them: a sort that was killed may have left them open. Another program that still sends one of
              them fails

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


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Error("usage: python -m sortie.objects get|put|list|end-uploads URL")


def _parser() -> _Parser:
    parser = _Parser(allow_abbrev=False, add_help=False)
    parser.add_argument("action", choices=("get", "put", "list", "end-uploads"))
    parser.add_argument("--ahead", type=int)
    parser.add_argument("--blocks", action="store_true")
    parser.add_argument("--scratch")
    parser.add_argument("url")
    return parser


def main(arguments: list[str]) -> None:
    parser = _parser()
    given = parser.parse_args(arguments)
    if not is_url(given.url):
        parser.error("")
    if given.action == "get":
        get(given.url, given.ahead)
    elif given.action == "put":
        put(given.url, (_blocks if given.blocks else _to_the_end)(sys.stdin.buffer), given.scratch)
    elif given.action == "end-uploads":
        for upload in end_uploads(ObjectName(given.url)):
            print(f"{ObjectName(given.url).of_key(upload.key)} begun at {upload.begun}", flush=True)
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
