"""Records that are pushed and pulled."""

import struct

import pytest

import sortie


def numbers_in(parts):
    return [number for part in parts for (number,) in struct.iter_unpack("<Q", part)]


def test_gives_back_in_order_what_was_pushed():
    values = [(i * 7919) % 100_003 for i in range(100_003)]
    with sortie.Sorter(format="u64", memory="1MiB", engine="cpu") as sorter:
        for begin in range(0, len(values), 1000):
            sorter.push(struct.pack(f"<{len(values[begin:begin + 1000])}Q", *values[begin:begin + 1000]))
        assert numbers_in(sorter) == list(range(100_003))
        assert sorter.report.output_records == 100_003 and sorter.report.runs_spilled > 0


def test_records_may_be_cut_anywhere_and_lie_in_any_buffer():
    data = struct.pack("<3Q", 3, 1, 2)
    with sortie.Sorter(format="u64") as sorter:
        sorter.push(data[:5])
        sorter.push(memoryview(data)[5:11])
        sorter.push(bytearray(data[11:]))
        assert numbers_in(sorter) == [1, 2, 3]


def test_pull_gives_empty_bytes_at_the_end():
    with sortie.Sorter() as sorter:
        sorter.push(b"b\na\n")
        assert (sorter.pull(), sorter.pull(), sorter.pull()) == (b"a\nb\n", b"", b"")


def test_nothing_pushed_gives_nothing():
    with sortie.Sorter() as sorter:
        assert list(sorter) == []


def test_mistakes_are_told():
    with pytest.raises(TypeError, match="unexpected keyword argument 'memmory'"):
        sortie.Sorter(memmory=1)
    for name in ("inputs", "merge_only", "checkpoint"):
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}'"):
            sortie.Sorter(**{name: True})
    with sortie.Sorter() as sorter:
        for thing in ("text", None, [1]):
            with pytest.raises(TypeError, match="records must be bytes, or an object with the buffer protocol, not "):
                sorter.push(thing)
        with pytest.raises(sortie.Error, match="no report yet"):
            _ = sorter.report
        sorter.pull()
        with pytest.raises(sortie.Error, match="push all of them before"):
            sorter.push(b"x")
    with pytest.raises(ValueError, match="closed"):
        sorter.push(b"x")


def test_a_sorter_may_be_left_at_any_time(no_leftovers):
    for pull in (False, True):
        with sortie.Sorter(format="u64", memory="1MiB", scratch=no_leftovers) as sorter:
            sorter.push(bytes(8_000_000))
            if pull:
                assert sorter.pull() != b""


def test_a_sorter_that_its_listener_refers_to_ends_quietly(run_python):
    told = run_python("""
import sortie
class Listener:
    def hear(self, *news): pass
listener = Listener()
listener.sorter = sortie.Sorter(progress=listener.hear)
listener.sorter.push(b"x")
""")
    assert (told.returncode, told.stdout, told.stderr) == (0, "", "")


def test_progress_is_told():
    told = []
    with sortie.Sorter(format="u64", progress=lambda *news: told.append(news)) as sorter:
        sorter.push(bytes(8_000_000))
        assert sum(map(len, sorter)) == 8_000_000
    assert told


def test_a_daemon_thread_that_sorts_does_not_abort_the_exit(run_python):
    told = run_python("""
import threading, time, numpy as np, sortie
numbers = np.random.default_rng(1).integers(0, 2**62, 5_000_000)
def work():
    while True:
        sortie.sort(numbers)
threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
""")
    assert (told.returncode, told.stderr) == (0, "")


def test_a_forked_child_lets_a_sorter_alone(run_python):
    told = run_python("""
import os, sortie
sorter = sortie.Sorter(format="u64", memory="1MiB")
sorter.push(bytes(8_000_000))
sorter.pull()
child = os.fork()
if child == 0:
    try:
        sorter.pull()
    except sortie.Error:
        sorter.close()
        del sorter
        os._exit(7)
    os._exit(1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
sorter.close()
""")
    assert told.returncode == 0, told.stderr


def test_a_sorter_that_its_listener_refers_to_is_freed():
    import gc
    import weakref

    class Listener:
        def hear(self, *news):
            pass
    listener = Listener()
    listener.sorter = sortie.Sorter(progress=listener.hear)
    gone = weakref.ref(listener)
    del listener
    gc.collect()
    assert gone() is None


def test_a_checkpoint_is_refused_before_a_record_is_pushed(tmp_path):
    with pytest.raises(TypeError, match="checkpoint"):
        sortie.Sorter(checkpoint=tmp_path / "ck")


@pytest.mark.parametrize("options", [{"batch_rows": 3}, {"null_placement": "at_start"}])
def test_what_is_for_rows_needs_keys_of_rows(options):
    with pytest.raises(sortie.ArgumentError, match="give by, too"):
        sortie.Sorter(**options)
