"""What sorts tell: how far they are, warnings, reports."""

from __future__ import annotations

import contextlib
import os
import sys
import time
import types
import warnings
from collections.abc import Callable
from typing import Any, Protocol, Self, cast

from . import SortWarning, _arguments, _logging
from ._errors import ArgumentTypeError, without_controls


class EndBar(Protocol):
    def __call__(self, is_complete: bool) -> None: ...


def listener(progress: Any) -> tuple[Any, EndBar]:
    """Returns (a callable, None for nobody, or True for the library's own line; what ends the bar)."""
    if progress is None or progress is False:
        return None, lambda is_complete: None
    if callable(progress):
        return progress, lambda is_complete: None
    if progress is not True:
        raise ArgumentTypeError(f"progress must be True, False or a callable, not {type(progress).__name__}")
    try:
        import tqdm
    except ImportError:
        return True, lambda is_complete: None
    bar = Bar(tqdm.tqdm)
    return bar, bar.end


class Bar:
    """Shows each phase as a bar of tqdm."""

    def __init__(self, make: Callable[..., Any]) -> None:
        self._make = make
        self._bar: Any = None
        self._phase: str | None = None

    def __call__(self, phase: str, done_bytes: int, total_bytes: int) -> None:
        if phase != self._phase:
            self.end(is_complete=True)
            self._phase = phase
            self._bar = self._make(total=total_bytes or None, desc=phase, unit="B", unit_scale=True)
        self._bar.total = total_bytes or None
        self._bar.update(done_bytes - self._bar.n)

    def end(self, is_complete: bool) -> None:
        """Closes the bar of the phase; of a complete one at its end, which is not always told."""
        if self._bar is not None:
            if is_complete and self._bar.total:
                self._bar.update(self._bar.total - self._bar.n)
            self._bar.close()
            self._bar = None


class _Line:
    """The same on one line, where tqdm is not installed."""

    def __call__(self, phase: str, done_bytes: int, total_bytes: int) -> None:
        print(f"\r{f'{phase}: {say_size(done_bytes)}':<60}", end="", file=sys.stderr, flush=True)

    def end(self, is_complete: bool) -> None:
        print("\r" + " " * 60 + "\r", end="", file=sys.stderr, flush=True)


_FOLDER = os.path.dirname(__file__) + os.sep


def warn_caller(message: str) -> None:
    """Warns in the name of the line that called the package."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_FOLDER):
        frame, level = frame.f_back, level + 1
    warnings.warn(without_controls(message), SortWarning, stacklevel=level)


class Listening:
    """Takes progress and warn out of the arguments of a sort, and ends its bar."""

    def __init__(self, arguments: dict[str, Any]) -> None:
        on_progress, self.end_bar = listener(arguments.pop("progress", None))
        self.on_progress = _logging.heard_phases(on_progress)
        warn = arguments.pop("warn", None)
        if warn is not None and not callable(warn):
            raise ArgumentTypeError(f"warn must be a callable, not {type(warn).__name__}")
        self.on_warning = _logging.heard_warnings(warn or warn_caller)
        self._told_at = 0.0

    def tell(self, phase: str, done_bytes: int, total_bytes: int, is_last: bool = False) -> None:
        """How far work of Python is. Whoever listens hears of it ten times a second at most, and of the last."""
        now = time.monotonic()
        if self.on_progress is None or (now < self._told_at + 0.1 and not is_last):
            return
        self._told_at = now
        if self.on_progress is True:
            line = _Line()
            self.on_progress, self.end_bar = line, line.end
        self.on_progress(phase, done_bytes, total_bytes)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        # By now the output is in its place, or an exception is on its way: a bar that fails must change neither.
        with contextlib.suppress(Exception):
            self.end_bar(is_complete=error is None)


class _WorkReport(types.SimpleNamespace):
    """What a job did, as --stats-json and --stats tell it."""

    def __init__(self, json_text: str, text: str, **others: Any) -> None:
        import json

        values = vars(json.loads(json_text, object_hook=lambda told: types.SimpleNamespace(**told)))
        lists: dict[str, list[Any]] = {name: [] for name in ("phases", "sorts", "resources", "stages", "assumptions")}
        super().__init__(**{**lists, **values, **others})
        self._values = json_text
        self._text = text

    def __str__(self) -> str:
        return self._text

    def to_json(self) -> str:
        """The report as --stats-json writes it."""
        return self._values

    def to_dict(self) -> dict[str, Any]:
        """The report as dicts, lists, numbers and words, as --stats-json writes it."""
        import json

        return cast("dict[str, Any]", json.loads(self._values))


class Report(_WorkReport):
    """What a sort did. The attributes are those of SortReport in include/sortie/report.hpp: bytes are counts of bytes,
    seconds are wall time. str() gives the table that the command prints with --stats; a notebook shows a short one."""

    def __init__(self, json_text: str, text: str) -> None:
        super().__init__(json_text, text)

    def __reduce__(self) -> tuple[Any, ...]:
        return Report, (self._values, self._text)

    def __repr__(self) -> str:
        return (f"<sortie.Report: {say_count(self.output_records, 'record')}, {say_count(self.output_bytes, 'byte')} "
                f"in {self.elapsed_seconds:.3f} s, engine {self.engine}>")

    def _repr_html_(self) -> str:
        import html

        rows = [(phase.name, f"{phase.seconds:.3f} s", _bottleneck(phase)) for phase in self.phases]
        rows.append(("whole sort", f"{self.elapsed_seconds:.3f} s", _bottleneck(self)))
        cells = "".join(f"<tr><td>{html.escape(name)}</td><td>{time}</td><td>{html.escape(busy)}</td></tr>"
                        for name, time, busy in rows)
        return (f"<table><caption>{say_count(self.output_records, 'record', ',')}, {say_size(self.input_bytes)} in, "
                f"{say_size(self.output_bytes)} out, engine {html.escape(self.engine)}</caption>"
                f"<tr><th>phase</th><th>time</th><th>bottleneck</th></tr>{cells}</table>")


class JoinReport(_WorkReport):
    """What a join did: a Report each on the sorts of left and right, and of the whole the attributes of JoinReport in
    include/sortie/report.hpp, such as output_records and elapsed_seconds. str() gives what --stats prints."""

    def __init__(self, json_text: str, text: str, left: Report, right: Report) -> None:
        super().__init__(json_text, text, left=left, right=right)

    def __reduce__(self) -> tuple[Any, ...]:
        return JoinReport, (self._values, self._text, self.left, self.right)

    def __repr__(self) -> str:
        return (f"<sortie.JoinReport: {say_count(self.output_records, 'record')}, "
                f"{say_count(self.output_bytes, 'byte')} in {self.elapsed_seconds:.3f} s>")


class Disorder(types.SimpleNamespace):
    """The first place where inputs are out of order: `input` (a path), `record` (its number in the input, from 1),
    `offset` (in bytes from the start of the input) and `line` (bytes without the delimiter; empty if records are no
    lines)."""


def _bottleneck(part: Any) -> str:
    if not part.resources:
        return ""
    busiest = part.resources[0]
    seconds = getattr(part, "seconds", None) or getattr(part, "elapsed_seconds", 0)
    share = f", busy {busiest.busy_seconds / seconds:.0%}" if seconds else ""
    return f"{busiest.name}{share}"


def say_size(count: float) -> str:
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} PB"


def say_count(count: int, what: str, form: str = "") -> str:
    """"1 record", "2 records". form: of the number, as format() takes it."""
    return f"{count:{form}} {what}{'' if count == 1 else 's'}"


def say_seconds(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def with_files(report: Report, files: int, stats_path: Any) -> Report:
    """The report of a sort into so many files. stats_path: of the same report as JSON, or None."""
    values = {**report.to_dict(), "output_files": files}
    return told_again(values, with_lines(str(report), f"files      {files}\n"), stats_path)


def told_again(values: dict[str, Any], text: str, stats_path: Any) -> Report:
    import json

    as_json = json.dumps(values, indent=2, ensure_ascii=False)
    if _arguments.is_path(stats_path) and os.path.isfile(stats_path):
        with open(stats_path, "w", encoding="utf-8") as file:
            file.write(as_json + "\n")
    return Report(as_json, text)


def with_lines(text: str, lines: str) -> str:
    head, bottleneck, tail = text.partition("bottleneck ")
    return head + lines + bottleneck + tail
