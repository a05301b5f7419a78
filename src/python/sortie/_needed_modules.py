"""Modules that some functions need and that may not be installed."""

from __future__ import annotations

import importlib
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


def import_torch(what: str) -> Any:
    """The module. what: for whom, in the message if it is not there."""
    try:
        return importlib.import_module("torch")
    except ImportError:
        raise MissingModuleError(f"{what} needs PyTorch, which is not installed: https://pytorch.org says "
                                 "how") from None
