#!/usr/bin/env python3
"""Names inputs of the fuzz targets after what they hold: the parts of each target, as its source draws them, and the text.
tools/fuzz --keep has it name what it keeps.

Usage: corpus_names.py FOLDER...    of tests/fuzz/corpus; names files that have the hash of their bytes for a name
"""

import pathlib
import re
import sys

HASH = re.compile("[0-9a-f]{40}")
LONGEST_TEXT = 40
MAGICS = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bzip2", b"\xfd7zXZ": "xz", b"\x04\x22\x4d\x18": "lz4"}
FIELD_KINDS = ["unsigned", "signed", "float", "bytes"]
SPECIFICATIONS = ["format", "field", "key", "column-key", "json-key", "obsolete-key"]


def text_of(data):
    """What can be read of the bytes; a byte that is repeated stands once, with its number."""
    text = re.sub(rb"(.)\1{3,}", lambda run: b"%sx%d " % (run.group(1), len(run.group())), data, flags=re.DOTALL)
    text = re.sub(r"[^A-Za-z0-9.,=+@_]+", "-", text.decode("latin-1").replace("%", "percent")).strip("-.")
    return text[:LONGEST_TEXT].strip("-.") or ("bytes" if data else "nothing")


def size_of(data):
    return f"{len(data)}-bytes"


def first(data, count):
    """The first bytes as numbers, which are 0 behind the end, and the rest."""
    return [*data[:count], *([0] * (count - len(data[:count])))], data[count:]


def byte_name(value):
    return {0: "NUL", 9: "tab", 10: "newline", 32: "blank", 44: "comma", 46: "point"}.get(value, f"{value:02x}")


def block_codec(data):
    (codec, delta, element, *_), rest = first(data, 5)
    return f"codec-{codec % 3}-delta-{delta % 2}-of-{element}-{text_of(rest)}"


def command_line(data):
    (program,), rest = first(data, 1)
    return f"{'sort' if program else 'sortie'}-{text_of(rest)}"


def compressed(data):
    found = [name for magic, name in MAGICS.items() if data.startswith(magic)]
    return f"{found[0] if found else text_of(data)}-{size_of(data)}"


def compressed_members(data):
    (form, *_), rest = first(data, 6)
    return f"format-{form}-{size_of(rest)}"


def csv(data):
    (separator, ranges), rest = first(data, 2)
    return f"{byte_name(separator)}-{1 + ranges % 16}-ranges-{text_of(rest)}"


def fixed_order(data):
    (count, kind, length, *_), _ = first(data, 3)
    return f"field-{FIELD_KINDS[kind % 4]}-{length}-count-{count}-{size_of(data)}"


def line_ends(data):
    (delimiter, begin, room), rest = first(data, 3)
    return f"{byte_name(delimiter)}-from-{begin}-room-{room}-{text_of(rest)}"


def manifest(data):
    (mode,), rest = first(data, 1)
    return f"{['text', 'lines'][mode] if mode < 2 else 'written'}-{text_of(rest)}"


def number_key(data):
    (decimal, thousands), rest = first(data, 2)
    return f"{byte_name(decimal)}-{byte_name(thousands)}-{text_of(rest)}"


def prefixed(data):
    (descending, ranges), rest = first(data, 2)
    return f"{'falling' if descending % 2 else 'rising'}-{1 + ranges % 16}-ranges-{size_of(rest)}"


def run_file(data):
    (is_sealed,), rest = first(data, 1)
    return f"{'sealed' if is_sealed else 'as-it-is'}-{size_of(rest)}-{text_of(rest[48:])}"


def run_round_trip(data):
    (form, codec, block, *_), rest = first(data, 5)
    return f"format-{form}-codec-{codec}-block-{block}-{text_of(rest)}"


def size(data):
    (*number, unit), rest = first(data, 9)
    return f"{int.from_bytes(bytes(number), 'little'):x}-unit-{unit}-{text_of(rest)}"


def specification(data):
    (which,), rest = first(data, 1)
    return f"{SPECIFICATIONS[which % 6]}-{text_of(rest)}"


def written_time(data):
    (form, *_), rest = first(data, 3)
    return f"zones-{form}-{text_of(rest)}"


NAMERS = {"block_codec": block_codec, "command_line": command_line, "compressed_input": compressed,
          "compressed_members": compressed_members, "csv": csv, "fixed_order": fixed_order, "line_ends": line_ends,
          "manifest": manifest, "number_key": number_key, "prefixed": prefixed, "run_file": run_file,
          "run_round_trip": run_round_trip, "size": size, "specification": specification, "written_time": written_time}


def name_files(folder, pattern=HASH):
    name_of = NAMERS.get(folder.name, text_of)
    for path in sorted(folder.iterdir()):
        if not pattern.fullmatch(path.name):
            continue
        name = name_of(path.read_bytes())
        number = 1
        while (target := folder / (name if number == 1 else f"{name}-{number}")).exists():
            number += 1
        path.rename(target)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for folder in sys.argv[1:]:
        name_files(pathlib.Path(folder))


if __name__ == "__main__":
    main()
