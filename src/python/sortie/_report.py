"""What sort_files(), join_files() and others tell about what they did."""

import types


class _WorkReport(types.SimpleNamespace):
    """What a job did, as --stats-json and --stats tell it."""

    def __init__(self, json_text, text, **others):
        import json

        values = json.loads(json_text)
        for name in ("phases", "sorts", "resources", "stages", "assumptions"):
            values[name] = [_namespace(item) for item in values.get(name, [])]
        super().__init__(**{**values, **others})
        self._values = json_text
        self._text = text

    def __str__(self):
        return self._text

    def to_dict(self):
        """The report as dicts, lists, numbers and words, as --stats-json writes it."""
        import json

        return json.loads(self._values)


class Report(_WorkReport):
    """What a sort did. The attributes are those of SortReport in include/sortie/report.hpp: bytes are counts of bytes,
    seconds are wall time. str() gives the table that the command prints with --stats; a notebook shows a short one."""

    def __reduce__(self):
        return Report, (self._values, self._text)

    def __repr__(self):
        return (f"<sortie.Report: {self.output_records} records, {self.output_bytes} bytes in "
                f"{self.elapsed_seconds:.3f} s, engine {self.engine}>")

    def _repr_html_(self):
        rows = [(phase.name, f"{phase.seconds:.3f} s", _bottleneck(phase)) for phase in self.phases]
        rows.append(("whole sort", f"{self.elapsed_seconds:.3f} s", _bottleneck(self)))
        cells = "".join(f"<tr><td>{_escaped(name)}</td><td>{time}</td><td>{_escaped(busy)}</td></tr>"
                        for name, time, busy in rows)
        return (f"<table><caption>{self.output_records:,} records, {_size(self.input_bytes)} in, "
                f"{_size(self.output_bytes)} out, engine {_escaped(self.engine)}</caption>"
                f"<tr><th>phase</th><th>time</th><th>bottleneck</th></tr>{cells}</table>")


class JoinReport(_WorkReport):
    """What a join did: a Report each on the sorts of left and right, and of the whole the attributes of JoinReport in
    include/sortie/report.hpp, such as output_records and elapsed_seconds. str() gives what --stats prints."""

    def __init__(self, json_text, text, left, right):
        super().__init__(json_text, text, left=left, right=right)

    def __reduce__(self):
        return JoinReport, (self._values, self._text, self.left, self.right)

    def __repr__(self):
        return (f"<sortie.JoinReport: {self.output_records} records, {self.output_bytes} bytes in "
                f"{self.elapsed_seconds:.3f} s>")


class Disorder(types.SimpleNamespace):
    """The first place where inputs are out of order: `input` (a path), `record` (its number in the input, from 1),
    `offset` (in bytes from the start of the input) and `line` (bytes without the delimiter; empty if records are no
    lines)."""


def _namespace(value):
    if isinstance(value, dict):
        return types.SimpleNamespace(**{name: _namespace(item) for name, item in value.items()})
    return [_namespace(item) for item in value] if isinstance(value, list) else value


def _bottleneck(part):
    if not part.resources:
        return ""
    busiest = part.resources[0]
    seconds = getattr(part, "seconds", None) or getattr(part, "elapsed_seconds", 0)
    share = f", busy {busiest.busy_seconds / seconds:.0%}" if seconds else ""
    return f"{busiest.name}{share}"


def _size(count):
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000:
            break
        count /= 1000
    else:
        unit = "TB"
    return f"{count:.3g} {unit}"


def _escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
