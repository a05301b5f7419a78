"""The first rows of a table as text, and for notebooks as HTML."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from .._report import say_count

if TYPE_CHECKING:
    import pyarrow

_MOST_ROWS, _MOST_COLUMNS, _MOST_LETTERS, _WIDTH = 8, 12, 30, 110


def as_text(title: str, schema: pyarrow.Schema, batch: pyarrow.RecordBatch | None) -> str:
    """title: the first line. batch: of the first rows, which has the columns of the schema, or None."""
    lines, left = [title], _WIDTH
    columns: list[list[str]] = []
    for cells in _columns(schema, batch):
        width = max(map(_width, cells))
        if columns and width > left:
            break
        left -= width + 2
        columns.append([_filled(cell, width) for cell in cells])
    lines += ["  ".join(cells).rstrip() for cells in zip(*columns)]
    more = len(schema) - len(columns)
    return "\n".join([*lines, *([f"and {more} more column{'s' if more > 1 else ''}"] if more else [])])


def as_html(title: str, schema: pyarrow.Schema, batch: pyarrow.RecordBatch | None) -> str:
    """As as_text() takes it."""
    names, kinds, *rows = zip(*_columns(schema, batch)) if len(schema) else ((), ())
    more = len(schema) - len(names)
    caption = title + (f", the first {len(names)} columns" if more else "")
    return (f"<table><caption>{html.escape(caption)}</caption><thead>{_html_row('th', names)}{_html_row('td', kinds)}"
            f"</thead><tbody>{''.join(_html_row('td', row) for row in rows)}</tbody></table>")


def batch_as_text(batch: Any, rows: int, columns: int) -> str:
    """A SortedBatch. Its values are not copied."""
    return _batch_as(as_text, f"sortie.SortedBatch: {_sizes(rows, columns)}", batch)


def batch_as_html(batch: Any, rows: int, columns: int) -> str:
    """The same for notebooks."""
    return _batch_as(as_html, _sizes(rows, columns), batch)


def _sizes(rows: int, columns: int) -> str:
    return f"{say_count(rows, 'row', ',')}, {say_count(columns, 'column', ',')}"


def _batch_as(show: Callable[..., str], title: str, batch: Any) -> str:
    try:
        import pyarrow
    except ImportError:
        return title
    rows = pyarrow.record_batch(batch)
    return show(title, rows.schema, rows)


def _html_row(tag: str, cells: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{html.escape(cell)}</{tag}>' for cell in cells)}</tr>"


def _columns(schema: pyarrow.Schema, batch: pyarrow.RecordBatch | None) -> Iterable[list[str]]:
    """Name, type and values of the first columns."""
    for number, field in enumerate(schema):
        if number == _MOST_COLUMNS:
            return
        values = [] if batch is None else batch.column(number)[:_MOST_ROWS]
        yield [_cut(field.name), _cut(str(field.type)), *(_cut(_value(value)) for value in values)]


def _value(scalar: Any) -> str:
    """As pyarrow shows it, where Python has no value of the kind; its bytes or its number, where pyarrow shows none."""
    try:
        value = scalar.as_py()
    except Exception:
        return _unshown(scalar)
    return "null" if value is None else value if isinstance(value, str) else str(value)


def _unshown(scalar: Any) -> str:
    """Times that Python's calendar does not reach, texts that are not UTF-8, and the like. A table is shown whatever is
    in it."""
    try:
        return str(scalar.cast("int64").as_py())
    except Exception:
        return "?"


def _cut(text: str) -> str:
    """One line of few letters."""
    text = "".join(letter if letter.isprintable() else "�" for letter in text[:_MOST_LETTERS + 1])
    return text if len(text) <= _MOST_LETTERS else text[:_MOST_LETTERS - 1] + "…"


def _width(text: str) -> int:
    """Columns of a terminal."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 0 if unicodedata.combining(letter) else 1
               for letter in text)


def _filled(text: str, width: int) -> str:
    return text + " " * (width - _width(text))
