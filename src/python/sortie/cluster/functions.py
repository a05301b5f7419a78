"""The functions of a cluster as programs call them: with the options of the catalogue that go with one."""

from .._options import CLUSTER_TABLES, CLUSTERS, takes_options
from . import calls

_OF_JOBS = ('job, engine="local", shard=None, ranges=None, scratch=None, workers=None, attempts=3, command=None, '
            'address="auto"')

sort_files = takes_options(f"inputs, output, *, {_OF_JOBS}, locale=False, sort_engine=None, progress=None, trace=None",
                           CLUSTERS, listens=False)(calls.sort_files)
sort_parquet = takes_options(
    f'inputs, output, *, by, {_OF_JOBS}, null_placement="at_end", row_group_rows=None, compression=None, '
    "sort_engine=None, progress=None, trace=None", CLUSTER_TABLES, listens=False)(calls.sort_parquet)
