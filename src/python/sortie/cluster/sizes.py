"""Sizes in words, and for people."""

import re

from .._errors import ArgumentError

_UNITS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5}


def parse_memory(text: str, option: str) -> int:
    """As the command reads it: without a unit in KiB, with a "b" in bytes."""
    if text.isdigit():
        return 1024 * parse_size(text, option)
    return parse_size(text, option)


def parse_size(text: str, option: str) -> int:
    """Bytes of "50G", "50GiB" (powers of 1024) or "50GB" (of 1000)."""
    found = re.fullmatch(r"(\d+)\s*([KMGTP]?)(|iB|B)", text.strip(), re.IGNORECASE)
    if not found or (found[3] == "iB" and not found[2]) or not int(found[1]):
        raise ArgumentError(f"invalid value '{text}' for {option}: give a size such as 50G")
    base = 1000 if found[2] and found[3].upper() == "B" else 1024
    return int(found[1]) * int(base ** _UNITS[found[2].upper()])


def say_size(count: float) -> str:
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} PB"


def say_seconds(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
