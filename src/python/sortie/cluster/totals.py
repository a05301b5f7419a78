"""What commands count: records, bytes, and a checksum that does not depend on the order of the records."""

from typing import Any, NamedTuple, Self

_CHECKSUMS = 1 << 128


class Totals(NamedTuple):
    records: int = 0
    bytes: int = 0
    checksum: int = 0

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Self:
        return cls(value["records"], value["bytes"], int(value["checksum"], 16))

    def plus(self, other: "Totals") -> "Totals":
        return Totals(self.records + other.records, self.bytes + other.bytes,
                      (self.checksum + other.checksum) % _CHECKSUMS)

    def minus(self, other: "Totals") -> "Totals":
        return Totals(self.records - other.records, self.bytes - other.bytes,
                      (self.checksum - other.checksum) % _CHECKSUMS)
