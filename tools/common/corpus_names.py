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


def byte_name(value):
    return {0: "NUL", 9: "tab", 10: "newline", 32: "blank", 44: "comma", 46: "point"}.get(value, f"{value:02x}")


def compressed(_, data):
    found = [name for magic, name in MAGICS.items() if data.startswith(magic)]
    return f"{found[0] if found else text_of(data)}-{size_of(data)}"


def fixed_order(_, data):
    count, kind, length = data[:3].ljust(3, b"\0")
    return f"field-{FIELD_KINDS[kind % 4]}-{length}-count-{count}-{size_of(data)}"


# For each target how many bytes it draws one by one, and the name that follows from these, which are 0 behind the end of the
# input, and from the rest. Other targets take all of the input as text.
NAMERS = {
    "block_codec": (5, lambda head, rest: f"codec-{head[0] % 3}-delta-{head[1] % 2}-of-{head[2]}-{text_of(rest)}"),
    "command_line": (1, lambda head, rest: f"{'sort' if head[0] else 'sortie'}-{text_of(rest)}"),
    "compressed_input": (0, compressed),
    "compressed_members": (6, lambda head, rest: f"format-{head[0]}-{size_of(rest)}"),
    "csv": (2, lambda head, rest: f"{byte_name(head[0])}-{1 + head[1] % 16}-ranges-{text_of(rest)}"),
    "fixed_order": (0, fixed_order),
    "line_ends": (3, lambda head, rest: f"{byte_name(head[0])}-from-{head[1]}-room-{head[2]}-{text_of(rest)}"),
    "manifest": (1, lambda head, rest: f"{['text', 'lines', 'written'][min(head[0], 2)]}-{text_of(rest)}"),
    "normal_form": (1, lambda head, rest: f"form-{head[0] % 16}-{text_of(rest)}"),
    "number_key": (2, lambda head, rest: f"{byte_name(head[0])}-{byte_name(head[1])}-{text_of(rest)}"),
    "prefixed": (2, lambda head, rest: f"{'falling' if head[0] % 2 else 'rising'}-{1 + head[1] % 16}-ranges-{size_of(rest)}"),
    "run_file": (1, lambda head, rest: f"{'sealed' if head[0] else 'as-it-is'}-{size_of(rest)}-{text_of(rest[48:])}"),
    "run_round_trip": (5, lambda head, rest: f"format-{head[0]}-codec-{head[1]}-block-{head[2]}-{text_of(rest)}"),
    "size": (9, lambda head, rest: f"{int.from_bytes(head[:8], 'little'):x}-unit-{head[8]}-{text_of(rest)}"),
    "specification": (1, lambda head, rest: f"{SPECIFICATIONS[head[0] % 6]}-{text_of(rest)}"),
    "written_time": (3, lambda head, rest: f"zones-{head[0]}-{text_of(rest)}"),
}


def name_of(target, data):
    count, namer = NAMERS.get(target, (0, lambda _, text: text_of(text)))
    return namer(data[:count].ljust(count, b"\0"), data[count:])


def name_files(folder, pattern=HASH):
    for path in sorted(folder.iterdir()):
        if not pattern.fullmatch(path.name):
            continue
        name = name_of(folder.name, path.read_bytes())
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
