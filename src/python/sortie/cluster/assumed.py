"""What the shards of a job assumed without being told, added up: the command says of each shard what it was and how often."""

from collections.abc import Iterable
from typing import Any

from .. import Error

# The kinds that are about inputs, not about records.
_OF_INPUTS = ("lacks-header", "guessed-header", "other-comments")


class Assumed:
    """Those of one kind about one thing are one."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], dict[str, Any]] = {}

    def add(self, shard: Iterable[dict[str, Any]]) -> None:
        """Shards come in turn: the first that has one knows the first place."""
        for told in shard:
            known = self._known.setdefault((told["kind"], told["subject"]), {**told, "count": 0, "of": 0})
            known["count"] += told["count"]
            known["of"] += told["of"]

    def told(self, records: int) -> list[dict[str, Any]]:
        """As --stats-json has them. records: of all shards, those with nothing to tell as well."""
        told = []
        for known in self._known.values():
            of = known["of"] if known["kind"] in _OF_INPUTS else records
            is_of_all = known["count"] >= of
            if (known["only_if_all"] and not is_of_all) or not self._is_told(known):
                continue
            message = known["all" if is_of_all else "some"]
            message = message.replace("{count}", str(known["count"])).replace("{of}", str(of)).replace("{{}", "{")
            told.append({"kind": known["kind"], "message": message, "count": known["count"], "of": of,
                         "first_place": known["first_place"]})
        return told

    def _is_told(self, known: dict[str, Any]) -> bool:
        """What has no message is there for another kind, which is told where both are known, of whatever shard."""
        other = known.get("only_with")
        return bool(known["some"] or known["all"]) and (not other or (other, known["subject"]) in self._known)

    def refuse(self, records: int) -> None:
        """For a strict sort."""
        told = self.told(records)
        if told:
            raise Error(f"the sort would have to assume something: {told[0]['message']}")
