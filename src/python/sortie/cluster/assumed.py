"""What the shards of a job assumed without being told: the command says of each shard what it was and how often, and the
library adds it up."""

from collections.abc import Iterable
from typing import Any

from .. import Error
from .._native import total_assumptions
from .python_arguments import as_options


class Assumed:
    """What was assumed by all shards that were added."""

    def __init__(self) -> None:
        self._parts: list[dict[str, Any]] = []

    def add(self, shard: Iterable[dict[str, Any]]) -> None:
        """Shards come in turn: the first that has one knows the first place."""
        self._parts.extend(shard)

    def told(self, records: int) -> list[dict[str, Any]]:
        """As --stats-json has them; remedy is that of an Error, and advice ends the message for Python's callers: the
        argument that helps. records: of all shards, those with nothing to tell as well."""
        told: list[dict[str, Any]] = total_assumptions(self._parts, records)
        return told

    def refuse(self, records: int) -> None:
        """For a strict sort."""
        told = self.told(records)
        if told:
            ways = "" if len(told) == 1 else f" in {len(told)} ways, the first is this"
            raise Error(f"the sort would have to assume something{ways}: {told[0]['message']}"
                        f"{as_options(told[0]['advice'])}", told[0]["remedy"])
