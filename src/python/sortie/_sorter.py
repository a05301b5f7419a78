"""Sorter, for records or rows that a program makes."""

from . import Error, _native
from ._listening import Listening


_OF_FILES = ("split", "split_size", "split_records", "split_by", "together", "manifest", "output_level")


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

    by, null_placement, batch_rows: for rows, as sort_table() takes them; options are then those of sort_table().
    options: those of sort_files(), without inputs and output, merge_only and checkpoint. Calls must not overlap.
    Leaving the `with` block ends a sort that is not done."""

    def __init__(self, *, by=None, null_placement="at_end", batch_rows=None, **options):
        if by is not None:
            from ._tables import RowSorter, table_keys

            self._native = RowSorter("Sorter", table_keys(by, null_placement), batch_rows, options)
            self._end_bar = self._native._end_bar
            return
        if options.get("checkpoint") is not None:
            raise TypeError("a Sorter cannot go on from a checkpoint: its records are gone with the process")
        for name in _OF_FILES:
            if options.get(name) is not None:
                raise TypeError(f"Sorter() has no argument '{name}': it writes no files")
        # What is no flag the options refuse by its type.
        if options.get("merge_only") is True:
            raise Error("a Sorter cannot merge, as it has all records before it gives one: sort_files(merge_only=True) "
                        "merges")
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
