"""What the package tells logging.getLogger("sortie"): warnings, the end of a sort (INFO), and its phases (DEBUG).

Nothing is printed unless the program sets up logging, and `import sortie` does not import it: a program that has not
done so has nobody who listens."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from ._errors import without_controls

# As logging has them.
DEBUG, INFO, WARNING = 10, 20, 30

_NAME = "sortie"


def is_heard(level: int) -> bool:
    """Whether anybody may listen to messages of this level."""
    logging = sys.modules.get("logging")
    # Another thread may be importing it.
    return hasattr(logging, "getLogger") and _logger().isEnabledFor(level)


def log(level: int, message: str, *arguments: object) -> None:
    if is_heard(level):
        _logger().log(level, message, *arguments)


def _logger() -> Any:
    logging = sys.modules["logging"]
    logger = logging.getLogger(_NAME)
    # Without a handler, logging prints warnings by itself.
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())
    return logger


def heard_phases(on_progress: Any) -> Any:
    """A listener to progress that logs the begin of each phase, too, if anybody may hear it; on_progress otherwise.
    True is the library's own line, beside which nobody listens."""
    if on_progress is True or not is_heard(DEBUG):
        return on_progress
    last = None

    def hear(phase: str, done_bytes: int, total_bytes: int) -> None:
        nonlocal last
        if phase != last:
            last = phase
            log(DEBUG, "phase %s: %s", phase, f"{total_bytes} bytes" if total_bytes else "of unknown size")
        if on_progress is not None:
            on_progress(phase, done_bytes, total_bytes)
    return hear


def heard_warnings(on_warning: Callable[[str], object]) -> Callable[[str], object]:
    """A listener to warnings that logs them first. They are of one line, whatever the names in them hold."""
    def hear(message: str) -> object:
        message = without_controls(message)
        log(WARNING, "%s", message)
        return on_warning(message)
    return hear


def log_report(function: str, report: Any) -> None:
    """The end of a sort. report: a Report, or a JoinReport."""
    if not is_heard(INFO):
        return
    engine = getattr(report, "engine", None)
    reason = getattr(report, "engine_reason", "")
    log(INFO, "%s: %d records, %d bytes in %.3f s%s", function, report.output_records, report.output_bytes,
        report.elapsed_seconds, f", engine {engine}{reason and f' ({reason})'}" if engine else "")
    log_fallback(function, getattr(report, "device_failure", ""))


def log_end(function: str, records: int | None, seconds: float) -> None:
    """The end of a sort whose rows somebody reads, who has the report. records: None if they are not known."""
    log(INFO, "%s: %s records sorted and read in %.3f s", function, "all" if records is None else records, seconds)


def log_fallback(function: str, device_failure: str) -> None:
    """That a GPU did not do its work. device_failure: why not; empty if it did, or was not asked to."""
    if device_failure:
        log(INFO, "%s: the CPU took over: %s", function, device_failure)
