"""python -m sortie.objects: objects of stores for programs that read and write pipes, as the command sortie does.

    get URL           writes the bytes of an object to standard output
    put URL           writes an object from standard input, to its end
    put --blocks URL  the same from blocks, each behind its length in 8 bytes, the least first; a length of 0 completes it.
                      Without it nothing becomes visible: whoever wrote the blocks has failed
    list URL          prints the objects that a pattern, or a prefix that ends in '/', means

What fails is told in one line on standard error, with exit status 2."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from typing import BinaryIO, NoReturn

from .._errors import Error, without_controls
from .store import ObjectName, is_url, objects_like

_PIECE_BYTES = 1 << 20
_LENGTH_BYTES = 8


def get(url: str) -> None:
    with ObjectName(url).open_source() as file:
        while piece := file.read(_PIECE_BYTES):
            _write_all(piece)


def _write_all(piece: bytes) -> None:
    left = memoryview(piece)
    while left:
        left = left[os.write(1, left):]


def put(url: str, pieces: Iterator[bytes]) -> None:
    output = ObjectName(url).create(packs=False)
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


def _end(number: int, _: object) -> NoReturn:
    raise SystemExit(128 + number)


def main(arguments: list[str]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _end)
    match arguments:
        case ["get", url] if is_url(url):
            get(url)
        case ["put", url] if is_url(url):
            put(url, _to_the_end(sys.stdin.buffer))
        case ["put", "--blocks", url] if is_url(url):
            put(url, _blocks(sys.stdin.buffer))
        case ["list", url] if is_url(url):
            for name in objects_like(ObjectName(url)):
                print(name)
        case _:
            raise Error("usage: python -m sortie.objects get|put|list URL")


def _run() -> int:
    try:
        main(sys.argv[1:])
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
