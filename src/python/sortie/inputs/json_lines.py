"""JSON Lines as bytes and lines: blocks that end with a line, and what is wrong with one of them."""

from __future__ import annotations

import collections
import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .._errors import Error
from .._files import open_unpacked
from .json_types import object_of

BLOCK_BYTES = 4 << 20
_MOST_LINE_BYTES = 16 << 20
_FORM = "JSON Lines has one object on each line"
_MARK = b"\xef\xbb\xbf"  # of UTF-8
# pyarrow calls itself for each level, until the stack is full.
_MOST_DEPTH = 100
_NO_OPENERS = bytes(byte for byte in range(256) if byte not in b"[{\n")
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
# Without escapes. One without an end goes on to that of the line, so that none is looked at twice.
_STRING = re.compile(rb'"[^"]*"?')
# In a list each object has a place for each name that any of them has, of about so many bytes.
_PLACE_BYTES = 8
# The places of several lines take no more. More would not be faster.
_USUAL_LIST_BYTES = 64 << 20
# Any element of a list: what follows a comma in an object is a name.
_IN_LIST = re.compile(rb"[\[,][ \t\r]*\{")
_NAME = re.compile(rb'"([^"]*)"[ \t\r]*:')  # without escapes
_BLANK = " \t\r"
_OTHER_LINE = re.compile(rb"^[ \t\r]*[^ \t\r\n{]", re.MULTILINE)
_BLANK_LINE = re.compile(rb"^[ \t\r]*$", re.MULTILINE)


class Block(NamedTuple):
    """Whole lines. first: the number of the first one, from 1. rows: the lines that are not blank. is_plain: whether
    each begins with an object, and no space in front of it."""
    path: str
    octets: bytes
    first: int
    lines: int
    rows: int
    is_plain: bool

    @classmethod
    def of(cls, path: str, octets: bytes, first: int) -> Block:
        lines = octets.count(b"\n") + (not octets.endswith(b"\n"))
        is_plain = octets.count(b"\n{") + octets.startswith(b"{") == lines
        blank = 0 if is_plain else len(_BLANK_LINE.findall(octets.removesuffix(b"\n")))
        return cls(path, octets, first, lines, lines - blank, is_plain)


def blocks_of(path: str) -> Iterator[Block]:
    """Those that are not empty. Raises Error for lines that are too long, nested too deeply, or not UTF-8."""
    left, first = b"", 1
    with open_unpacked(path) as file:
        octets = file.read(BLOCK_BYTES).removeprefix(_MARK)
        while octets:
            left += octets
            octets = file.read(BLOCK_BYTES)
            end = left.rfind(b"\n") + 1 if octets else len(left)
            if not end and len(left) > _MOST_LINE_BYTES:
                raise Error(f"line {first} of '{path}' is longer than {_MOST_LINE_BYTES >> 20} MiB: {_FORM}")
            if end:
                block, left = Block.of(path, left[:end], first), left[end:]
                if block.rows:
                    _check(block)
                    yield block
                first += block.lines


def pieces_of(block: Block, most_rows: Callable[[], int], names_in_lists: Callable[[Block], int],
              list_bytes: int) -> Iterator[Block]:
    """Those with rows. most_rows(): of the next piece. names_in_lists(piece): that an object in a list may have at
    most. list_bytes: that the lists of objects of a piece may take. Raises Error for a line whose lists would take
    more."""
    for piece in _pieces_by_rows(block, most_rows):
        yield from _thin_pieces(piece, names_in_lists, list_bytes)


def names_in(block: Block) -> int:
    """How many names objects have that are in lists, or a few more; 0 if no list holds objects."""
    if not _IN_LIST.search(block.octets):
        return 0
    return len({name[1] for name in _NAME.finditer(_without_escapes(block.octets))})


def _without_escapes(octets: bytes) -> bytes:
    """With bytes that UTF-8 has not in place of backslashes and quotes that are escaped. An expression for escapes
    would keep some 130 bytes for each of them."""
    return octets.replace(rb"\\", b"\xfe").replace(rb'\"', b"\xff")


def _thin_pieces(piece: Block, names_in_lists: Callable[[Block], int], list_bytes: int) -> Iterator[Block]:
    """Of so few lines each that their lists take no more than they may."""
    objects, names = piece.octets.count(b"{"), names_in_lists(piece)
    most_bytes = list_bytes if piece.rows == 1 else min(list_bytes, _USUAL_LIST_BYTES)
    if objects * names * _PLACE_BYTES <= most_bytes:
        yield piece
    elif piece.rows == 1:
        line = piece.first + next(number for number, octets in enumerate(piece.octets.split(b"\n")) if octets.strip())
        raise Error(f"line {line} of '{piece.path}' has some {objects} objects in lists with {names} names, and each "
                    f"would take a place for each name, {objects * names * _PLACE_BYTES >> 20} MiB, where memory has "
                    f"{list_bytes >> 20}: give more memory, write such names as values, or leave the line out",
                    "more_memory")
    else:
        yield from (thin for half in _pieces_by_rows(piece, lambda: -(-piece.lines // 2))
                    for thin in _thin_pieces(half, names_in_lists, list_bytes))


def _pieces_by_rows(block: Block, most_rows: Callable[[], int]) -> Iterator[Block]:
    octets, begin, first = block.octets, 0, block.first
    while begin < len(octets):
        most, end, lines = most_rows(), begin, 0
        if not begin and block.lines <= most:
            yield block
            return
        while lines < most and end < len(octets):
            end = octets.find(b"\n", end) + 1 or len(octets)
            lines += 1
        cut = octets[begin:end]
        piece = Block(block.path, cut, first, lines, lines, True) if block.is_plain else Block.of(block.path, cut,
                                                                                                  first)
        if piece.rows:
            yield piece
        begin, first = end, first + lines


def _check(block: Block) -> None:
    try:
        block.octets.decode()
    except UnicodeDecodeError as error:
        line = block.first + block.octets[:error.start].count(b"\n")
        raise Error(f"line {line} of '{block.path}' is not UTF-8: let the file be in UTF-8") from None
    if max(map(len, block.octets.translate(None, _NO_OPENERS).split(b"\n"))) > _MOST_DEPTH:
        _check_depth(block)
    if not block.is_plain and _OTHER_LINE.search(block.octets):
        # pyarrow takes null for an object, and may not outlive other values. A line in front may be the one to name.
        collections.deque(objects_in(block), maxlen=0)


def _check_depth(block: Block) -> None:
    for number, octets in enumerate(block.octets.split(b"\n"), block.first):
        if not _is_shallow(octets):
            _object_in(block.path, number, octets.decode())
            raise _too_deep(block.path, number)


def _is_shallow(octets: bytes) -> bool:
    """Whether all brackets of a line are closed, and none is in more than so many others, if there are that many."""
    if octets.count(b"[") + octets.count(b"{") <= _MOST_DEPTH:
        return True
    left = _STRING.sub(b"", _without_escapes(octets)).translate(None, _NO_BRACKETS)
    for _ in range(_MOST_DEPTH):
        inner = left.replace(b"[]", b"").replace(b"{}", b"")
        if len(inner) == len(left):
            break
        left = inner
    return not left


def _too_deep(path: str, line: int) -> Error:
    return Error(f"line {line} of '{path}' is nested more than {_MOST_DEPTH} levels deep, which no table is: leave the "
                 "line out")


def objects_in(block: Block) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each object with the number of its line, and its numbers as they are written. Raises Error for a line that is
    none."""
    for number, line in enumerate(block.octets.decode().split("\n"), block.first):
        if line.strip(_BLANK):
            yield number, _object_in(block.path, number, line)


def _object_in(path: str, number: int, line: str) -> dict[str, Any]:
    try:
        found = object_of(line)
    except RecursionError:
        raise _too_deep(path, number) from None
    except ValueError as error:
        place = f" at character {error.pos + 1}" if hasattr(error, "pos") else ""
        raise Error(f"line {number} of '{path}' is not one object of JSON: {getattr(error, 'msg', error)}{place}; "
                    f"{_FORM}") from None
    if "\\u" in line:
        _refuse_half_characters(found, path, number)
    if not isinstance(found, dict):
        raise Error(f"line {number} of '{path}' is no object of JSON: {_FORM}, with the names of the columns")
    return found


def _refuse_half_characters(found: Any, path: str, line: int) -> None:
    for name, value in found.items() if isinstance(found, dict) else ():
        try:
            json.dumps([name, value], ensure_ascii=False).encode()
        except RecursionError:
            raise _too_deep(path, line) from None
        except UnicodeEncodeError as error:
            shown = ascii(error.object[error.start])[1:-1]
            raise Error(f"column {ascii(name)} in line {line} of '{path}' has '{shown}', which is one half of a pair "
                        "and no character: write both halves, or leave it out") from None
