# Made of the catalogue of options by tools/common/python_stubs.py, which puts arguments in place of OPTIONS OF ...
import os
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, Protocol, Self, TypeVar, final, overload

import numpy
from typing_extensions import Buffer

__version__: str

_Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]
_Array = TypeVar("_Array")
_Numbers = numpy.ndarray[Any, numpy.dtype[Any]]
# Before Python 3.12 numpy.ndarray does not say that it is a buffer.
_Buffer = Buffer | _Numbers
_Direction = Literal["ascending", "descending"]
_FieldKey = str | tuple[str, _Direction]

_NullPlacement = Literal["at_start", "at_end"]
_ColumnKey = _FieldKey | tuple[str, _Direction, _NullPlacement]

class _HasArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...

class _HasArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...

_Table = _HasArrowStream | _HasArrowArray

class _SupportsDLPack(Protocol):
    def __dlpack__(self, *args: Any, **options: Any) -> Any: ...

_Remedy = Literal["more_memory", "less_memory", "fewer_threads", "other_scratch", "cpu_engine", "year", "zone", "quoting",
                  "header_lines"]

class Error(RuntimeError):
    remedy: _Remedy | None
    def __init__(self, message: str, remedy: _Remedy | None = None) -> None: ...

class ArgumentError(Error, ValueError): ...

# As instances are: of the class that Python has for their errno.
class FileError(Error, OSError):
    def __init__(
        self, message: str, remedy: _Remedy | None = None, number: int | None = None, path: str | None = None
    ) -> None: ...

class SortWarning(UserWarning): ...

class Report(types.SimpleNamespace):
    def __init__(self, json_text: str, text: str) -> None: ...
    engine: str
    engine_reason: str
    device_failure: str
    input_records: int
    input_bytes: int
    output_records: int
    output_bytes: int
    verified: bool
    checksum: str
    runs: int
    runs_spilled: int
    runs_resumed: int
    merge_passes: int
    windows: int
    run_bytes: int
    stored_bytes: int
    scratch_peak_bytes: int
    memory_budget_bytes: int
    memory_peak_bytes: int
    device_budget_bytes: int
    devices: int
    start_seconds: float
    formation_seconds: float
    merge_seconds: float
    elapsed_seconds: float
    assumptions: list[types.SimpleNamespace]
    phases: list[types.SimpleNamespace]
    sorts: list[types.SimpleNamespace]
    resources: list[types.SimpleNamespace]
    stages: list[types.SimpleNamespace]
    def to_dict(self) -> dict[str, Any]: ...
    def _repr_html_(self) -> str: ...

class JoinReport(types.SimpleNamespace):
    def __init__(self, json_text: str, text: str, left: Report, right: Report) -> None: ...
    left: Report
    right: Report
    output_records: int
    output_bytes: int
    runs_spilled: int
    merge_passes: int
    scratch_peak_bytes: int
    memory_budget_bytes: int
    memory_peak_bytes: int
    elapsed_seconds: float
    phases: list[types.SimpleNamespace]
    sorts: list[types.SimpleNamespace]
    resources: list[types.SimpleNamespace]
    stages: list[types.SimpleNamespace]
    def to_dict(self) -> dict[str, Any]: ...

class Disorder(types.SimpleNamespace):
    input: str
    record: int
    offset: int
    line: bytes

def sort_files(
    inputs: _Path | Iterable[_Path],
    output: _Path,
    *,
    header_lines: int | Literal["auto"] | None = None,
    quote: Literal["csv", "none", "backslash"] | None = None,
    na: bool | str | Iterable[str] | None = None,
    entry_start: str | None = None,
    format: str | None = None,
    fields: str | Iterable[str] | None = None,
    delimiter: str | bytes | None = None,
    unpack: bool | None = None,
    random_seed: bytes | None = None,
    ordering: str | None = None,
    descending: bool | None = None,
    keys: str | Iterable[str] | None = None,
    separator: str | bytes | None = None,
    stable: bool | None = None,
    locale: bool | None = None,
    year: int | None = None,
    zone: str | None = None,
    chromosomes: Literal["natural", "karyotype", "bytes", "header"] | None = None,
    output_level: int | None = None,
    split: int | None = None,
    split_size: int | str | None = None,
    split_records: int | None = None,
    split_by: str | None = None,
    together: bool | None = None,
    manifest: _Path | None = None,
    unique: bool | None = None,
    keep_last: bool | None = None,
    count: bool | None = None,
    repeated: bool | None = None,
    only_once: bool | None = None,
    set_operation: Literal["union", "intersect", "except", "symmetric"] | None = None,
    order: Literal["keys", "input"] | None = None,
    group: str | Iterable[str] | None = None,
    top: int | None = None,
    sample: int | None = None,
    sample_seed: str | None = None,
    shuffle: bool | str | None = None,
    merge_only: bool | None = None,
    merge_fan_in: int | None = None,
    memory: int | str | None = None,
    scratch: _Path | Iterable[_Path] | None = None,
    checkpoint: _Path | None = None,
    threads: int | None = None,
    compress_program: _Path | None = None,
    compression: str | None = None,
    engine: Literal["auto", "gpu", "cpu"] | None = None,
    devices: int | Iterable[int] | Literal["all"] | None = None,
    device_memory: int | str | None = None,
    algorithm: Literal["auto", "radix", "bitonic", "merge", "odd-even", "split-radix"] | None = None,
    verify: bool | None = None,
    strict: bool | None = None,
    stats_json: _Path | None = None,
    report: _Path | None = None,
    trace: _Path | None = None,
    progress: bool | Callable[[str, int, int], object] | None = None,
    warn: Callable[[str], object] | None = None,
) -> Report: ...
def join_files(
    left: _Path,
    right: _Path,
    output: _Path,
    *,
    keys: str | Iterable[str],
    how: Literal["inner", "left", "right", "full", "anti"] = "inner",
    right_keys: str | Iterable[str] | None = None,
    select: str | None = None,
    empty: str | None = None,
    header_lines: int | Literal["auto"] | None = None,
    quote: Literal["csv", "none", "backslash"] | None = None,
    na: bool | str | Iterable[str] | None = None,
    format: str | None = None,
    delimiter: str | bytes | None = None,
    unpack: bool | None = None,
    ordering: str | None = None,
    descending: bool | None = None,
    separator: str | bytes | None = None,
    year: int | None = None,
    zone: str | None = None,
    output_level: int | None = None,
    merge_only: bool | None = None,
    merge_fan_in: int | None = None,
    memory: int | str | None = None,
    scratch: _Path | Iterable[_Path] | None = None,
    threads: int | None = None,
    compress_program: _Path | None = None,
    compression: str | None = None,
    engine: Literal["auto", "gpu", "cpu"] | None = None,
    devices: int | Iterable[int] | Literal["all"] | None = None,
    device_memory: int | str | None = None,
    algorithm: Literal["auto", "radix", "bitonic", "merge", "odd-even", "split-radix"] | None = None,
    verify: bool | None = None,
    strict: bool | None = None,
    stats_json: _Path | None = None,
    report: _Path | None = None,
    trace: _Path | None = None,
    progress: bool | Callable[[str, int, int], object] | None = None,
    warn: Callable[[str], object] | None = None,
) -> JoinReport: ...
def check_files(
    inputs: _Path | Iterable[_Path],
    *,
    header_lines: int | Literal["auto"] | None = None,
    quote: Literal["csv", "none", "backslash"] | None = None,
    na: bool | str | Iterable[str] | None = None,
    entry_start: str | None = None,
    format: str | None = None,
    fields: str | Iterable[str] | None = None,
    delimiter: str | bytes | None = None,
    unpack: bool | None = None,
    random_seed: bytes | None = None,
    ordering: str | None = None,
    descending: bool | None = None,
    keys: str | Iterable[str] | None = None,
    separator: str | bytes | None = None,
    stable: bool | None = None,
    locale: bool | None = None,
    year: int | None = None,
    zone: str | None = None,
    chromosomes: Literal["natural", "karyotype", "bytes", "header"] | None = None,
    output_level: int | None = None,
    split: int | None = None,
    split_size: int | str | None = None,
    split_records: int | None = None,
    split_by: str | None = None,
    together: bool | None = None,
    manifest: _Path | None = None,
    unique: bool | None = None,
    keep_last: bool | None = None,
    count: bool | None = None,
    repeated: bool | None = None,
    only_once: bool | None = None,
    set_operation: Literal["union", "intersect", "except", "symmetric"] | None = None,
    order: Literal["keys", "input"] | None = None,
    group: str | Iterable[str] | None = None,
    top: int | None = None,
    sample: int | None = None,
    sample_seed: str | None = None,
    shuffle: bool | str | None = None,
    merge_only: bool | None = None,
    merge_fan_in: int | None = None,
    memory: int | str | None = None,
    scratch: _Path | Iterable[_Path] | None = None,
    checkpoint: _Path | None = None,
    threads: int | None = None,
    compress_program: _Path | None = None,
    compression: str | None = None,
    engine: Literal["auto", "gpu", "cpu"] | None = None,
    devices: int | Iterable[int] | Literal["all"] | None = None,
    device_memory: int | str | None = None,
    algorithm: Literal["auto", "radix", "bitonic", "merge", "odd-even", "split-radix"] | None = None,
    verify: bool | None = None,
    strict: bool | None = None,
    stats_json: _Path | None = None,
    report: _Path | None = None,
    trace: _Path | None = None,
    progress: bool | Callable[[str, int, int], object] | None = None,
    warn: Callable[[str], object] | None = None,
) -> Disorder | None: ...
def plan_files(
    inputs: _Path | Iterable[_Path],
    output: _Path = "-",
    *,
    header_lines: int | Literal["auto"] | None = None,
    quote: Literal["csv", "none", "backslash"] | None = None,
    na: bool | str | Iterable[str] | None = None,
    entry_start: str | None = None,
    format: str | None = None,
    fields: str | Iterable[str] | None = None,
    delimiter: str | bytes | None = None,
    unpack: bool | None = None,
    random_seed: bytes | None = None,
    ordering: str | None = None,
    descending: bool | None = None,
    keys: str | Iterable[str] | None = None,
    separator: str | bytes | None = None,
    stable: bool | None = None,
    locale: bool | None = None,
    year: int | None = None,
    zone: str | None = None,
    chromosomes: Literal["natural", "karyotype", "bytes", "header"] | None = None,
    output_level: int | None = None,
    split: int | None = None,
    split_size: int | str | None = None,
    split_records: int | None = None,
    split_by: str | None = None,
    together: bool | None = None,
    manifest: _Path | None = None,
    unique: bool | None = None,
    keep_last: bool | None = None,
    count: bool | None = None,
    repeated: bool | None = None,
    only_once: bool | None = None,
    set_operation: Literal["union", "intersect", "except", "symmetric"] | None = None,
    order: Literal["keys", "input"] | None = None,
    group: str | Iterable[str] | None = None,
    top: int | None = None,
    sample: int | None = None,
    sample_seed: str | None = None,
    shuffle: bool | str | None = None,
    merge_only: bool | None = None,
    merge_fan_in: int | None = None,
    memory: int | str | None = None,
    scratch: _Path | Iterable[_Path] | None = None,
    checkpoint: _Path | None = None,
    threads: int | None = None,
    compress_program: _Path | None = None,
    compression: str | None = None,
    engine: Literal["auto", "gpu", "cpu"] | None = None,
    devices: int | Iterable[int] | Literal["all"] | None = None,
    device_memory: int | str | None = None,
    algorithm: Literal["auto", "radix", "bitonic", "merge", "odd-even", "split-radix"] | None = None,
    verify: bool | None = None,
    strict: bool | None = None,
    stats_json: _Path | None = None,
    report: _Path | None = None,
    trace: _Path | None = None,
) -> str: ...
def plan_join_files(
    left: _Path,
    right: _Path,
    output: _Path = "-",
    *,
    keys: str | Iterable[str],
    how: Literal["inner", "left", "right", "full", "anti"] = "inner",
    right_keys: str | Iterable[str] | None = None,
    select: str | None = None,
    empty: str | None = None,
    header_lines: int | Literal["auto"] | None = None,
    quote: Literal["csv", "none", "backslash"] | None = None,
    na: bool | str | Iterable[str] | None = None,
    format: str | None = None,
    delimiter: str | bytes | None = None,
    unpack: bool | None = None,
    ordering: str | None = None,
    descending: bool | None = None,
    separator: str | bytes | None = None,
    year: int | None = None,
    zone: str | None = None,
    output_level: int | None = None,
    merge_only: bool | None = None,
    merge_fan_in: int | None = None,
    memory: int | str | None = None,
    scratch: _Path | Iterable[_Path] | None = None,
    threads: int | None = None,
    compress_program: _Path | None = None,
    compression: str | None = None,
    engine: Literal["auto", "gpu", "cpu"] | None = None,
    devices: int | Iterable[int] | Literal["all"] | None = None,
    device_memory: int | str | None = None,
    algorithm: Literal["auto", "radix", "bitonic", "merge", "odd-even", "split-radix"] | None = None,
    verify: bool | None = None,
    strict: bool | None = None,
    stats_json: _Path | None = None,
    report: _Path | None = None,
    trace: _Path | None = None,
) -> str: ...
@overload
def sort(
    array: _Buffer | _SupportsDLPack,
    *,
    order: _FieldKey | Iterable[_FieldKey] | None = None,
    descending: bool = False,
    out: _Path | None = None,
    threads: int | None = None,
    merge_fan_in: int | None = None,
    memory: int | str | None = None,
    scratch: _Path | Iterable[_Path] | None = None,
    compress_program: _Path | None = None,
    compression: str | None = None,
    engine: Literal["auto", "gpu", "cpu"] | None = None,
    devices: int | Iterable[int] | Literal["all"] | None = None,
    device_memory: int | str | None = None,
    algorithm: Literal["auto", "radix", "bitonic", "merge", "odd-even", "split-radix"] | None = None,
    verify: bool | None = None,
    strict: bool | None = None,
    stats_json: _Path | None = None,
    report: _Path | None = None,
    trace: _Path | None = None,
    progress: bool | Callable[[str, int, int], object] | None = None,
    warn: Callable[[str], object] | None = None,
) -> _Numbers: ...
@overload
def sort(
    array: _Buffer | _SupportsDLPack,
    *,
    order: _FieldKey | Iterable[_FieldKey] | None = None,
    descending: bool = False,
    out: _Array,
    threads: int | None = None,
    merge_fan_in: int | None = None,
    memory: int | str | None = None,
    scratch: _Path | Iterable[_Path] | None = None,
    compress_program: _Path | None = None,
    compression: str | None = None,
    engine: Literal["auto", "gpu", "cpu"] | None = None,
    devices: int | Iterable[int] | Literal["all"] | None = None,
    device_memory: int | str | None = None,
    algorithm: Literal["auto", "radix", "bitonic", "merge", "odd-even", "split-radix"] | None = None,
    verify: bool | None = None,
    strict: bool | None = None,
    stats_json: _Path | None = None,
    report: _Path | None = None,
    trace: _Path | None = None,
    progress: bool | Callable[[str, int, int], object] | None = None,
    warn: Callable[[str], object] | None = None,
) -> _Array: ...
@overload
def argsort(
    array: _Buffer | _SupportsDLPack, *, descending: bool = False, out: None = None, threads: int | None = None
) -> _Numbers: ...
@overload
def argsort(
    array: _Buffer | _SupportsDLPack, *, descending: bool = False, out: _Array, threads: int | None = None
) -> _Array: ...

# Keys of tables are of all types but nested ones and intervals of several units, which are carried.
def sort_table(
    data: _Table | Iterable[_Table],
    by: _ColumnKey | Iterable[_ColumnKey],
    *,
    null_placement: _NullPlacement = "at_end",
    batch_rows: int | None = None,
    unique: bool | None = None,
    keep_last: bool | None = None,
    repeated: bool | None = None,
    only_once: bool | None = None,
    order: Literal["keys", "input"] | None = None,
    top: int | None = None,
    sample: int | None = None,
    sample_seed: str | None = None,
    merge_fan_in: int | None = None,
    memory: int | str | None = None,
    scratch: _Path | Iterable[_Path] | None = None,
    threads: int | None = None,
    compress_program: _Path | None = None,
    compression: str | None = None,
    engine: Literal["auto", "gpu", "cpu"] | None = None,
    devices: int | Iterable[int] | Literal["all"] | None = None,
    device_memory: int | str | None = None,
    algorithm: Literal["auto", "radix", "bitonic", "merge", "odd-even", "split-radix"] | None = None,
    verify: bool | None = None,
    strict: bool | None = None,
    stats_json: _Path | None = None,
    report: _Path | None = None,
    trace: _Path | None = None,
    progress: bool | Callable[[str, int, int], object] | None = None,
    warn: Callable[[str], object] | None = None,
) -> SortedTable: ...
def sort_parquet(
    inputs: _Path | Iterable[_Path],
    output: _Path,
    *,
    by: _ColumnKey | Iterable[_ColumnKey],
    null_placement: _NullPlacement = "at_end",
    row_group_rows: int | None = None,
    compression: str | None = None,
    unique: bool | None = None,
    keep_last: bool | None = None,
    repeated: bool | None = None,
    only_once: bool | None = None,
    order: Literal["keys", "input"] | None = None,
    top: int | None = None,
    sample: int | None = None,
    sample_seed: str | None = None,
    merge_fan_in: int | None = None,
    memory: int | str | None = None,
    scratch: _Path | Iterable[_Path] | None = None,
    threads: int | None = None,
    compress_program: _Path | None = None,
    engine: Literal["auto", "gpu", "cpu"] | None = None,
    devices: int | Iterable[int] | Literal["all"] | None = None,
    device_memory: int | str | None = None,
    algorithm: Literal["auto", "radix", "bitonic", "merge", "odd-even", "split-radix"] | None = None,
    verify: bool | None = None,
    strict: bool | None = None,
    stats_json: _Path | None = None,
    report: _Path | None = None,
    trace: _Path | None = None,
    progress: bool | Callable[[str, int, int], object] | None = None,
    warn: Callable[[str], object] | None = None,
) -> Report: ...
@final
class SortedBatch:
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> Any: ...
    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...

class SortedTable:
    def __init__(self, rows: Any) -> None: ...
    def __arrow_c_schema__(self) -> Any: ...
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...
    def __iter__(self) -> Self: ...
    def __next__(self) -> SortedBatch: ...
    @property
    def report(self) -> Report: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...

class Sorter:
    @overload
    def __init__(
        self,
        *,
        by: _ColumnKey | Iterable[_ColumnKey],
        null_placement: _NullPlacement = "at_end",
        batch_rows: int | None = None,
        unique: bool | None = None,
        keep_last: bool | None = None,
        repeated: bool | None = None,
        only_once: bool | None = None,
        order: Literal["keys", "input"] | None = None,
        top: int | None = None,
        sample: int | None = None,
        sample_seed: str | None = None,
        merge_fan_in: int | None = None,
        memory: int | str | None = None,
        scratch: _Path | Iterable[_Path] | None = None,
        threads: int | None = None,
        compress_program: _Path | None = None,
        compression: str | None = None,
        engine: Literal["auto", "gpu", "cpu"] | None = None,
        devices: int | Iterable[int] | Literal["all"] | None = None,
        device_memory: int | str | None = None,
        algorithm: Literal["auto", "radix", "bitonic", "merge", "odd-even", "split-radix"] | None = None,
        verify: bool | None = None,
        strict: bool | None = None,
        stats_json: _Path | None = None,
        report: _Path | None = None,
        trace: _Path | None = None,
        progress: bool | Callable[[str, int, int], object] | None = None,
        warn: Callable[[str], object] | None = None,
    ) -> None: ...
    @overload
    def __init__(
        self,
        *,
        by: None = None,
        null_placement: _NullPlacement = "at_end",
        batch_rows: int | None = None,
        header_lines: int | Literal["auto"] | None = None,
        quote: Literal["csv", "none", "backslash"] | None = None,
        na: bool | str | Iterable[str] | None = None,
        entry_start: str | None = None,
        format: str | None = None,
        fields: str | Iterable[str] | None = None,
        delimiter: str | bytes | None = None,
        random_seed: bytes | None = None,
        ordering: str | None = None,
        descending: bool | None = None,
        keys: str | Iterable[str] | None = None,
        separator: str | bytes | None = None,
        stable: bool | None = None,
        locale: bool | None = None,
        year: int | None = None,
        zone: str | None = None,
        chromosomes: Literal["natural", "karyotype", "bytes", "header"] | None = None,
        unique: bool | None = None,
        keep_last: bool | None = None,
        count: bool | None = None,
        repeated: bool | None = None,
        only_once: bool | None = None,
        set_operation: Literal["union", "intersect", "except", "symmetric"] | None = None,
        order: Literal["keys", "input"] | None = None,
        group: str | Iterable[str] | None = None,
        top: int | None = None,
        sample: int | None = None,
        sample_seed: str | None = None,
        shuffle: bool | str | None = None,
        merge_fan_in: int | None = None,
        memory: int | str | None = None,
        scratch: _Path | Iterable[_Path] | None = None,
        threads: int | None = None,
        compress_program: _Path | None = None,
        compression: str | None = None,
        engine: Literal["auto", "gpu", "cpu"] | None = None,
        devices: int | Iterable[int] | Literal["all"] | None = None,
        device_memory: int | str | None = None,
        algorithm: Literal["auto", "radix", "bitonic", "merge", "odd-even", "split-radix"] | None = None,
        verify: bool | None = None,
        strict: bool | None = None,
        stats_json: _Path | None = None,
        report: _Path | None = None,
        trace: _Path | None = None,
        progress: bool | Callable[[str, int, int], object] | None = None,
        warn: Callable[[str], object] | None = None,
    ) -> None: ...
    # Records are bytes, rows come as tables and go as SortedBatch.
    def push(self, records: _Buffer | _Table) -> None: ...
    def pull(self) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...
    @property
    def report(self) -> Report: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...
