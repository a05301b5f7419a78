"""Modules that some functions need and that may not be installed."""

from __future__ import annotations

from typing import Any

from ._errors import MissingModuleError


def import_pyarrow(what: str) -> Any:
    """The module. what: for whom, in the message if it is not there."""
    try:
        import pyarrow
    except ImportError:
        raise MissingModuleError(f"{what} needs pyarrow, which is not installed: pip install "
                                 "'sortie-sort[parquet]'") from None
    return pyarrow


def require_numpy(what: str) -> None:
    """what: for whom, in the message if it is not there."""
    try:
        import numpy  # noqa: F401
    except ImportError:
        raise MissingModuleError(f"{what} needs NumPy, which is not installed: pip install "
                                 "'sortie-sort[numpy]'") from None
