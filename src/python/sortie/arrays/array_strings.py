"""How arrays of texts of any length are sorted: numpy.dtypes.StringDType, and objects that all are str."""

from __future__ import annotations

from typing import Any

from .._errors import ArgumentError, ArgumentTypeError
from .array_inputs import needed_numpy
from .array_numbers import Kind, log_cpu_alone
from .array_records import Texts, taken_along

# Texts are made as long as the longest one if that takes so many characters for each of theirs, and some more.
_MOST_PADDING, _MORE = 4, 1 << 20


class Strings(Kind):
    """values, out: as for Numbers."""

    def sort(self, values: Any, out: Any, arguments: dict[str, Any]) -> None:
        log_cpu_alone("sort", arguments, "texts of any length are sorted there")
        numpy = needed_numpy()
        indexes = numpy.empty(values.shape, numpy.int64)
        self.argsort(values, indexes, arguments)
        out[...] = taken_along(values, indexes)

    def argsort(self, values: Any, out: Any, arguments: dict[str, Any]) -> None:
        numpy = needed_numpy()
        texts = _padded(values)
        if texts is not None:
            Texts(texts.dtype).argsort(texts, out, {**arguments, "engine": "cpu"})
            return
        for row in numpy.ndindex(values.shape[:-1]):
            out[row] = _order(values[row].tolist(), bool(arguments.get("descending")))


def _order(texts: list[str], falls: bool) -> list[int]:
    return sorted(range(len(texts)), key=texts.__getitem__, reverse=falls)  # stable, also reversed


def _padded(values: Any) -> Any:
    """Texts of a fixed length; None if they are too different in theirs, or end in NUL, which such texts cannot."""
    numpy = needed_numpy()
    texts = values.reshape(-1).tolist()
    if not all(type(text) is str for text in texts):
        _refuse(texts)
    longest = max(map(len, texts), default=0)
    if longest * len(texts) > _MOST_PADDING * sum(map(len, texts)) + _MORE or any(text[-1:] == "\0" for text in texts):
        return None
    return numpy.array(texts, f"U{longest or 1}").reshape(values.shape)


def _refuse(texts: list[Any]) -> None:
    """Unless all are of subclasses of str, such as numpy.str_."""
    for text in texts:
        if text is None or type(text).__name__ in ("NAType", "NaTType") or (isinstance(text, float) and text != text):
            raise ArgumentError("array has missing values, which have no place: leave them out or fill them")
        if not isinstance(text, str):
            raise ArgumentTypeError(f"array holds Python objects, of which str can be sorted alone, and one is of "
                                    f"{type(text).__name__}{_advice(texts)}")


def _advice(things: list[Any]) -> str:
    """What sorts these objects, where they lose nothing by it; nothing if that is not known."""
    import datetime
    import decimal
    import uuid

    numpy = needed_numpy()
    limits = numpy.iinfo("int64")
    if _are_all(things, (bool, numpy.bool_)):
        return ": convert them with array.astype(bool)"
    if _are_all(things, (float, numpy.float16, numpy.float32)):
        return ": convert them with array.astype(float)"
    if _are_all(things, (int, numpy.integer)) and all(limits.min <= thing <= limits.max for thing in things):
        return ": convert them with array.astype('int64')"
    for kind in (bytes, decimal.Decimal, datetime.datetime, datetime.date, datetime.time, datetime.timedelta,
                 uuid.UUID):
        if _are_all(things, (kind,)):
            return ": sort_table() sorts tables by such a column"
    return ""


def _are_all(things: list[Any], kinds: tuple[Any, ...]) -> bool:
    return all(isinstance(thing, kinds) for thing in things)
