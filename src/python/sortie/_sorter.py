"""Sorter, for records or rows that a program makes."""

from . import _native
from ._listening import Listening
from ._options import RECORDS, TABLES, takes_options


class Sorter:
    """Sorts records or rows that a program makes.

        with sortie.Sorter(format="fixed:16", fields="u64@0", memory="1GB") as sorter:
            for chunk in chunks():
                sorter.push(chunk)
            for part in sorter:
                use(part)

        with sortie.Sorter(by=["user", ("ts", "descending")], memory="1GB") as sorter:
            for batch in batches():
                sorter.push(batch)
            for batch in sorter:
                use(batch)

    by, null_placement, batch_rows: for rows, as sort_table() takes them, and the other arguments are then those of
    sort_table(). For records they are those of sort_files() that have nothing to do with files. Calls must not overlap.
    Leaving the `with` block ends a sort that is not done."""

    @takes_options('self, *, by=None, null_placement="at_end", batch_rows=None', RECORDS | TABLES)
    def __init__(self, by, null_placement, batch_rows, options):
        if by is not None:
            from ._tables import RowSorter, table_keys

            self._native = RowSorter("Sorter", table_keys(by, null_placement), batch_rows, options)
            self._end_bar = self._native._end_bar
            return
        listening = Listening(options)
        self._end_bar = listening.end_bar
        self._native = _native.PushPull(options, listening.on_progress, listening.on_warning)

    def push(self, records):
        """Takes the next bytes of the records (bytes or anything with a contiguous buffer), which may be cut anywhere;
        of rows, the next batch or table, with the columns of the first. Waits while the sort has no memory for them.
        Raises Error after pull()."""
        self._native.push(records)

    def pull(self):
        """The next sorted records as bytes: whole ones, some MB at a time; b"" at the end. Of rows, the next
        SortedBatch; None at the end. The first call ends the input and waits until it is sorted."""
        part = self._native.pull()
        if not part:
            self._end_bar(is_complete=True)
        return part

    def __iter__(self):
        """The sorted records or batches, part by part, as pull() gives them."""
        while part := self.pull():
            yield part

    @property
    def report(self):
        """The Report, once pull() has come to the end."""
        return self._native.report()

    def close(self):
        """Ends the sort if it is not done, and frees its memory and scratch space."""
        self._end_bar(is_complete=False)
        self._native.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
