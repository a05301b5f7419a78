"""Sorts of files that are too large for one machine: shards and ranges, each by a command `sortie`.

    import glob
    import sortie.cluster

    report = sortie.cluster.sort_files(glob.glob("/shared/in/*.csv"), "/shared/out.csv", job="/shared/night",
                                       shard="50G", separator=",", keys="3,3n")
    print(report)

join_files() joins two files so, and sort_parquet() sorts Parquet files. The command sortie-cluster does the same."""

from typing import Any

__all__ = ["ClusterReport", "join_files", "sort_files", "sort_parquet"]


def __getattr__(name: str) -> Any:
    # Loaded when it is asked for: the processes of a job load other modules of the package, and there are many.
    if name not in __all__:
        raise AttributeError(f"module 'sortie.cluster' has no attribute {name!r}")
    from . import calls
    return getattr(calls, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
