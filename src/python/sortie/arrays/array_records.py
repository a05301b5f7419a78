"""How arrays of records are sorted: structured ones, bytes and texts of a fixed length. Few are ordered at once, and
many go through the sort of files, with all threads."""

from __future__ import annotations

from typing import Any

from . import array_files

from .. import _native
from .._errors import ArgumentError
from .array_fields import MOST_FIELDS, Field, Layout
from .array_inputs import is_plain, needed_numpy
from .array_numbers import Kind, Numbers

# Records of a row that are ordered at once: a sort of files takes a millisecond before it begins.
_FEW = 1 << 13


class Records(Kind):
    """values, out: as for Numbers."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    def layout(self, dtype: Any) -> Layout:
        return self._layout

    def sort(self, values: Any, out: Any, arguments: dict[str, Any]) -> None:
        numpy = needed_numpy()
        if _are_few(values, arguments):
            indexes = numpy.empty(values.shape, numpy.int64)
            self.argsort(values, indexes, arguments)
            out[...] = taken_along(values, indexes)
        else:
            for row in numpy.ndindex(values.shape[:-1]):
                array_files.sort_stream(values[row], out[row], self._layout, arguments)

    def argsort(self, values: Any, out: Any, arguments: dict[str, Any]) -> None:
        numpy = needed_numpy()
        if _are_few(values, arguments):
            indexes = out if is_plain(out) else numpy.empty(out.shape, numpy.int64)
            if out.size:
                _native.argsort_records(numpy.ascontiguousarray(values), indexes.reshape(-1),
                                        {**self._layout.as_fixed(), "descending": arguments.get("descending")},
                                        values.shape[-1])
            if indexes is not out:
                numpy.copyto(out, indexes)
        else:
            for row in numpy.ndindex(values.shape[:-1]):
                array_files.argsort_stream(values[row], out[row], self._layout, arguments)


def taken_along(values: Any, indexes: Any) -> Any:
    """numpy.take_along_axis() of the last axis, which takes longer for few values."""
    return values[indexes] if values.ndim == 1 else needed_numpy().take_along_axis(values, indexes, -1)


def _are_few(values: Any, arguments: dict[str, Any]) -> bool:
    return values.shape[-1] <= _FEW and arguments.get("engine") in (None, "auto", "cpu")


class Bytes(Records):
    """Bytes of a fixed length. Up to eight make a number of the same order."""

    def __init__(self, length: int) -> None:
        super().__init__(Layout(length, [Field("bytes", 0, length, False)]))
        self.length = length

    def sort(self, values: Any, out: Any, arguments: dict[str, Any]) -> None:
        if self.length > 8:
            return super().sort(values, out, arguments)
        if not values.size or not self.length:
            out[...] = values
            return None
        numpy = needed_numpy()
        keys = self._keys(values)
        Numbers().sort(keys, keys, arguments)
        texts = keys.view("u1").reshape(*values.shape, -1)[..., :self.length]
        out[...] = numpy.ascontiguousarray(texts).view(values.dtype).reshape(values.shape)
        return None

    def argsort(self, values: Any, out: Any, arguments: dict[str, Any]) -> None:
        if self.length > 8:
            return super().argsort(values, out, arguments)
        if not self.length:
            out[...] = needed_numpy().arange(values.shape[-1])
        elif values.size:
            Numbers().argsort(self._keys(values), out, arguments)
        return None

    def _keys(self, values: Any) -> Any:
        """A new array of big-endian numbers."""
        numpy = needed_numpy()
        width = next(width for width in (1, 2, 4, 8) if width >= self.length)
        keys = numpy.zeros((*values.shape, width), "u1")
        keys[..., :self.length] = numpy.ascontiguousarray(values).view("u1").reshape(*values.shape, self.length)
        return keys.view(f">u{width}").reshape(values.shape)


class Texts(Kind):
    """Texts of a fixed length, in the order of their code points. In memory they are sorted as bytes: of one byte for
    each character, or of as many as the greatest one takes."""

    def __init__(self, dtype: Any) -> None:
        self._length = dtype.itemsize // 4

    def layout(self, dtype: Any) -> Layout:
        return Layout(dtype.itemsize, [Field("bytes", 0, dtype.itemsize, False)], is_swapped=bool(dtype.isnative))

    def layout_of_file(self, dtype: Any) -> Layout:
        """For a file, which a stream cannot turn round."""
        if self._length > MOST_FIELDS:
            raise ArgumentError(f"texts of more than {MOST_FIELDS} characters cannot be sorted into a file, and these "
                                f"have {self._length}: let out be an array, such as one of numpy.memmap")
        word = "u32" if dtype.isnative else "u32be"
        return Layout(dtype.itemsize, [Field(word, 4 * i, 4, False) for i in range(self._length)])

    def sort(self, values: Any, out: Any, arguments: dict[str, Any]) -> None:
        keys, characters = self._keys(values)
        if keys is None:
            out[...] = values
            return
        Bytes(keys.itemsize).sort(keys, keys, arguments)
        points = keys.view(characters).reshape(*values.shape, self._length).astype("u4")
        out[...] = points.view(f"U{self._length}").reshape(values.shape)

    def argsort(self, values: Any, out: Any, arguments: dict[str, Any]) -> None:
        keys, _ = self._keys(values)
        if keys is None:
            out[...] = needed_numpy().arange(values.shape[-1])
        else:
            Bytes(keys.itemsize).argsort(keys, out, arguments)

    def _keys(self, values: Any) -> tuple[Any, str]:
        """(an array of bytes of a fixed length, the type of a character in them); None for an array without any."""
        numpy = needed_numpy()
        if not values.size or not self._length:
            return None, ""
        points = numpy.ascontiguousarray(values, f"U{self._length}").view("u4").reshape(*values.shape, self._length)
        greatest = int(points.max())
        characters = "u1" if greatest < 1 << 8 else ">u2" if greatest < 1 << 16 else ">u4"
        keys = points.astype(characters)
        return keys.view(f"V{self._length * keys.itemsize}").reshape(values.shape), characters
