"""What the shards of a sort have in common once they are formed, or those of one side of a join: each side has an order
and a header of its own, while bounds cut both."""

from dataclasses import dataclass, field
from typing import Any

from .. import Error
from .shards import Shard


def bounds_file(side: str) -> str:
    """Where the job keeps the bounds, with the header of the side. side: as Shard has it."""
    return "right_bounds.json" if side == "right" else "bounds.json"


@dataclass
class Side:
    """first_run: the number of its first run among all; identity: of its order; records: of all its shards."""

    first_run: int
    identity: str = ""
    header: str = ""
    records: int = 0
    assumed: list[dict[str, Any]] = field(default_factory=list)
    _header_form: str = ""
    _first_told: dict[str, Any] | None = None
    _first_record: dict[str, str] | None = None

    def add(self, shard: Shard, told: dict[str, Any]) -> None:
        """What the command told of the next shard. Raises Error for shards that were formed in different orders, or
        have different headers."""
        form = told.get("header_form", told["header"])
        # Headers are compared without what does not count.
        if self._header_form and form and self._header_form != form:
            raise Error(f"'{shard.path}' has another header than the inputs before it: leave inputs alone "
                        "during a sort")
        self._header_form = self._header_form or form
        self.header = self.header or told["header"]
        first = self._first_told = self._first_told or told
        if told["identity"] != first["identity"]:
            raise Error(f"{first['node']} and {told['node']} order records differently ({first['locale'] or 'bytes'} "
                        f"there, {told['locale'] or 'bytes'} here): install the same version, C library and locales on "
                        "all machines")
        self.identity = first["identity"]
        self.records += told["input"]["records"]
        self.assumed.extend(told.get("assumptions", ()))
        record = told.get("first")
        # Among records with equal keys, that of the first shard.
        if record is not None and (self._first_record is None or record["key"] < self._first_record["key"]):
            self._first_record = record

    def first_record(self) -> str | None:
        """By the order of keys, of a side of a join without a header."""
        return self._first_record["record"] if self._first_record else None


def plan_of_join(sides: dict[str, Side]) -> dict[str, Any] | None:
    """What the plans of ranges say beside those of a sort; None for a sort."""
    if "right" not in sides:
        return None
    left, right = sides["left"], sides["right"]
    return {"first": left.first_record(),
            "right": {"header": right.header, "first_run": right.first_run, "first": right.first_record()}}
