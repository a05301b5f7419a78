"""Random records of all kinds, and how they are cut into parts in the plainest way: for compare_parts."""

import csv
import io


def random_records(choice, kind):
    records = []
    values = choice.choice([1, 5, 60, 2000])
    for _ in range(choice.choice([0, 1, 2, 40, 3000])):
        key = choice.choice([str(choice.randrange(values)), choice.choice("ab"), ""] if "csv" in kind else
                            [str(choice.randrange(values))])
        if "csv" in kind:
            key = choice.choice([key, f'"{key}"', f'"{key}\n{key}"', f'"{key}""/,"'])
            records.append(f"{key},{choice.randrange(50)},\"x\n{'y' * choice.randrange(30)}\"\n".encode())
        elif kind == "entries":
            # The lines in front of the first entry of an input are one of their own.
            begin = "~lost" if not records and choice.random() < 0.5 else key
            more = "".join(f" at {'y' * choice.randrange(30)}\n" for _ in range(choice.randrange(4)))
            records.append(f"{begin} {choice.randrange(50)} {'x' * choice.randrange(30)}\n{more}".encode())
        else:
            end = "\0" if kind == "nul" else "\n"
            records.append(f"{key} {choice.randrange(50)} {'x' * choice.randrange(30)}{end}".encode())
    if records and choice.random() < 0.05:
        i = choice.randrange(len(records))
        records[i] = records[i].replace(b"x", b"x" * 300_000, 1)
    return records


def split_records(data, kind):
    if kind == "entries":
        records = []
        for line in data.splitlines(keepends=True):
            if line.startswith(b" "):
                records[-1] += line
            else:
                records.append(line)
        return records
    if "csv" not in kind:
        end = b"\0" if kind == "nul" else b"\n"
        return [record + end for record in data.split(end)[:-1]]
    records, quoted, begin = [], False, 0
    for i, byte in enumerate(data):
        if byte == ord('"'):
            quoted = not quoted
        if byte == ord("\n") and not quoted:
            records.append(data[begin:i + 1])
            begin = i + 1
    return records


def key_of(record, kind, counted):
    if kind == "groups":
        return record.split(b"\t")[0].decode()
    if "csv" in kind:
        return next(csv.reader(io.StringIO(record.decode(), newline="")))[0]
    return record.split()[1 if counted else 0].decode()


def key_of_input(record, kind):
    return key_of(record, "lines" if kind == "groups" else kind, False)


def cut(records, rule, size, keys, together, header):
    """The parts as lists of records."""
    parts = [[]]
    if rule == "--split":
        parts = [[] for _ in range(size)]
        total, done, part = sum(map(len, records)), 0, 0
        for i, record in enumerate(records):
            if not (together and i > 0 and keys[i] == keys[i - 1]):
                part = done * size // total
            parts[part].append(record)
            done += len(record)
        return parts
    for i, record in enumerate(records):
        is_repeat = i > 0 and keys[i] == keys[i - 1]
        if rule == "--split-by":
            ends = not is_repeat
        elif rule == "--split-records":
            ends = len(parts[-1]) >= size and not (together and is_repeat)
        elif together:
            group = len(record)
            for j in range(i + 1, len(records)):
                if keys[j] != keys[i]:
                    break
                group += len(records[j])
            ends = not is_repeat and header + sum(map(len, parts[-1])) + group > size
        else:
            ends = header + sum(map(len, parts[-1])) + len(record) > size
        if parts[-1] and ends:
            parts.append([])
        parts[-1].append(record)
    return [part for part in parts if part]


def name_of(value):
    if not value:
        return "%"
    return "".join(f"%{ord(c):02X}" if c in "/%" or ord(c) < 32 or (c == "." and i == 0) else c
                   for i, c in enumerate(value))
