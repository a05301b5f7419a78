"""Row groups of the inputs of a merge that may be moved as they are: which ones, by what footers tell, and their rows,
which show whether the footers tell the truth."""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Self

import pyarrow

from .._thread_pools import DaemonPool
from ..columns.keys import TableKey
from ..columns.ordered_keys import KeyEncoder
from ..columns.schemas import TypedInput, type_of_key
from ..parquet.column_ends import SeenColumn, rough_ends
from ..parquet.leaves import leaf_values
from ..parquet.parquet_footer import DAMAGE, columns_by_path
from ..parquet.parquet_input import ParquetInput
from ..parquet.stored_groups import StoredForm, StoredGroup


class _Behind:
    """Comes behind all values."""

    def __lt__(self, other: object) -> bool:
        return False

    def __gt__(self, other: object) -> bool:
        return other is not self


_BEHIND = _Behind()


class _Range(NamedTuple):
    """Of the first key of a row group; while its least value is also its greatest one, of the next key, too. What is
    not told makes it narrower: rows with one value of the first key are often in two files that do not overlap."""
    least: tuple[Any, ...]
    greatest: tuple[Any, ...]
    file: int
    group: int


def movable_groups(files: Sequence[TypedInput], keys: Sequence[TableKey],
                   form: StoredForm) -> list[dict[int, StoredGroup]]:
    """For each file the row groups, by their numbers, that look like those of the output, and into which no row of
    another file seems to belong. What one does not tell of is taken for so: the merge looks at the keys itself."""
    schema, names = files[0].schema, [str(name) for name, *_ in keys]
    if any(pyarrow.types.is_dictionary(kind) and kind.ordered
           for kind in (type_of_key(schema, name) for name in names)):
        return [{} for _ in files]  # the orders of all dictionaries are compared where all columns are read
    found = [form.groups_of(file) if isinstance(file, ParquetInput) else {} for file in files]
    if any(found):
        ranges = [known for number, file in enumerate(files) if isinstance(file, ParquetInput)
                  for known in _ranges(file, number, names)]
        for known in _overlapping(ranges):
            found[known.file].pop(known.group, None)
    return found


def _ranges(file: ParquetInput, number: int, names: Sequence[str]) -> Iterator[_Range]:
    for group, struct in enumerate(file.group_structs()):
        least, greatest = [], []
        with contextlib.suppress(*DAMAGE):
            columns = columns_by_path(struct)
            for name in names:
                ends = rough_ends(columns[name]) if name in columns else None
                if ends is None:
                    break
                least.append(ends[0])
                greatest.append(ends[1])
                if ends[0] != ends[1]:
                    break
        if least:
            yield _Range((*least, _BEHIND), tuple(greatest), number, group)


def _overlapping(ranges: list[_Range]) -> set[_Range]:
    """Those that share more than their ends with one of another file."""
    try:
        ranges.sort()
    except TypeError:
        return set()  # types that differ between files
    found: set[_Range] = set()
    # Two files: the greatest value of those before, and the least one of those behind.
    before: list[tuple[Any, int]] = []
    for known in ranges:
        if any(file != known.file and greatest > known.least for greatest, file in before):
            found.add(known)
        ends = {file: greatest for greatest, file in before}
        ends[known.file] = max(known.greatest, ends.get(known.file, known.greatest))
        before = sorted(((greatest, file) for file, greatest in ends.items()), reverse=True)[:2]
    behind: list[tuple[Any, int]] = []
    for known in reversed(ranges):
        if any(file != known.file and least < known.greatest for least, file in behind):
            found.add(known)
        behind = [(known.least, known.file), *(other for other in behind if other[1] != known.file)][:2]
    return found


class LookedGroup(NamedTuple):
    """ends: the first key and the last one. descent: the first row that belongs in front of the one before it, None for
    rows in order. may_move: see GroupLook."""
    group: StoredGroup
    ends: Any
    descent: int | None
    may_move: bool


class GroupReader:
    """Looks at row groups that are to be moved, at several at once: all their columns are read."""

    def __init__(self, schema: pyarrow.Schema, keys: Sequence[TableKey], threads: int) -> None:
        self._schema, self._keys, self._threads = schema, keys, threads
        self._pool = DaemonPool(threads, "sortie-checker")
        self._encoders: list[KeyEncoder] = []  # that no thread uses

    def __enter__(self) -> Self:
        self._pool.__enter__()
        return self

    def __exit__(self, *raised: object) -> None:
        self._pool.__exit__(*raised)

    def looks(self, groups: Iterable[StoredGroup]) -> Iterator[concurrent.futures.Future[LookedGroup]]:
        """One for each, in their order. The next ones are begun before they are asked for."""
        ahead: collections.deque[concurrent.futures.Future[LookedGroup]] = collections.deque()
        try:
            for group in groups:
                ahead.append(self._pool.submit(self._look_at, group))
                if len(ahead) == self._threads:
                    yield ahead.popleft()
            while ahead:
                yield ahead.popleft()
        finally:
            for look in ahead:
                look.cancel()
            concurrent.futures.wait(ahead)

    def _look_at(self, group: StoredGroup) -> LookedGroup:
        encoder = self._encoders.pop() if self._encoders else KeyEncoder(self._schema, self._keys)
        look = GroupLook(group, [str(name) for name, *_ in self._keys])
        descent = look.read(encoder, is_alone=self._threads == 1)
        found = LookedGroup(group, look.ends(encoder), descent, descent is None and look.may_move())
        self._encoders.append(encoder)
        return found


class GroupLook:
    """What the rows of a row group say of it. names: of the keys."""

    def __init__(self, group: StoredGroup, names: Sequence[str]) -> None:
        self._group, self._names = group, names
        self._seen: list[SeenColumn] = []
        self._first: pyarrow.RecordBatch | None = None
        self._last: pyarrow.RecordBatch | None = None

    def read(self, encoder: KeyEncoder, is_alone: bool) -> int | None:
        """Returns the first row that belongs in front of the one before it. is_alone: whether no others are read at
        once."""
        before, rows = None, 0
        for batch in self._group.batches(is_alone):
            if not batch.num_rows:
                continue
            keys = encoder.encode(batch)
            descent = keys.first_descent(before)
            self._first = batch.slice(0, 1) if self._first is None else self._first
            self._last = batch.slice(batch.num_rows - 1)
            if descent is not None:
                return rows + int(descent)
            self._see(batch)
            before, rows = keys, rows + batch.num_rows
        return None

    def _see(self, batch: pyarrow.RecordBatch) -> None:
        leaves = [values for column in batch.columns for values in leaf_values(column)]
        self._seen = self._seen or [SeenColumn() for _ in leaves]
        for seen, values in zip(self._seen, leaves):
            seen.add(values)

    def ends(self, encoder: KeyEncoder) -> Any:
        """The first key and the last one that was read."""
        both = pyarrow.Table.from_batches([self._first, self._last]).combine_chunks().to_batches()[0]
        return encoder.encode(both)

    def may_move(self) -> bool:
        """Whether the footer tells the truth of all columns. Of ends that cannot be compared it does not, if they are
        those of keys; others are left out of the output. False as well for what is damaged beside the rows."""
        with contextlib.suppress(*DAMAGE, OSError):
            return self._is_as_told() and self._group.has_sound_places()
        return False

    def _is_as_told(self) -> bool:
        columns = columns_by_path(self._group.struct())
        if len(columns) != len(self._seen):
            return False
        told = {name: seen.is_as_told(column) for seen, (name, column) in zip(self._seen, columns.items())}
        if False in told.values() or not all(told.get(name) for name in self._names):
            return False
        self._group.leave_out_ends([leaf for leaf, is_true in enumerate(told.values()) if not is_true])
        return True
