"""What a merge copies of runs on disks of other nodes, with a stand-in for the way to them."""

import errno
import os

import pytest

import sortie
from sortie.cluster import merge_tasks as slices_module
from sortie.cluster.commands import Commands
from sortie.cluster.arguments import parse_scratch
from sortie.cluster.node_disks import Piece, attempt_folder, private_folder, sweep
from sortie.cluster.merge_tasks import Slice, within_reach

RUN = bytes(range(1, 251)) * 4


class Disks:
    """Those of `here`; all others are read in pieces of 7 bytes, from the last to the first."""

    node = "here"

    def read(self, wanted):
        assert set(wanted) == {"there"}
        for path, offset, length in reversed(wanted["there"]):
            with open(path, "rb") as file:
                for begin in range(offset, offset + length, 7):
                    file.seek(begin)
                    part = min(7, offset + length - begin)
                    yield Piece(path, begin, part), file.read(part)


@pytest.fixture
def commands():
    return Commands("none", {}, disks=Disks())


@pytest.fixture
def runs(tmp_path):
    """One here, one on another node, one that all see."""
    begin, end = {"stored_begin": 100, "index_begin": 900}, {"stored_end": 222, "index_end": 951}
    found = []
    for number, node in enumerate(("here", "there", None)):
        path = tmp_path / f"{node}-run"
        path.write_bytes(RUN)
        found.append(Slice(node, str(path), len(RUN), number, begin, end))
    (tmp_path / "nvme").mkdir()
    return found


def test_only_what_other_nodes_have_is_copied_and_only_what_a_merge_reads(tmp_path, runs, commands):
    scratch = str(tmp_path / "nvme" / "job")
    with within_reach(runs, 3, scratch, commands) as near:
        assert (near[0], near[2]) == (runs[0], runs[2])
        assert near[1].as_planned() == {**runs[1].as_planned(), "path": near[1].path}
        assert near[1].path.startswith(f"{scratch}/here/000003.attempt-") and near[1].path.endswith("/there-run")
        with open(near[1].path, "rb") as file:
            copy = file.read()
        for place in range(len(RUN)):
            is_read = place < 64 or 100 <= place < 222 or 900 <= place < 951
            assert copy[place] == (RUN[place] if is_read else 0)
    assert os.listdir(tmp_path / "nvme" / "job" / "here") == []
    with within_reach([runs[0], runs[2]], 3, scratch, commands) as near:
        assert near == [runs[0], runs[2]] and os.listdir(tmp_path / "nvme" / "job" / "here") == []


def test_copies_of_attempts_that_were_killed_are_removed_and_no_others(tmp_path, runs, commands):
    folder = private_folder(str(tmp_path / "nvme" / "job"), "here")
    os.mkdir(f"{folder}/000001.attempt-killed")
    os.mkdir(f"{folder}/000002")
    with attempt_folder(f"{folder}/000004.attempt-alive"):
        with within_reach(runs, 3, str(tmp_path / "nvme" / "job"), commands):
            assert len(os.listdir(folder)) == 3
        sweep(str(tmp_path / "nvme" / "job"), "here", False)
        assert sorted(os.listdir(folder)) == ["000002", "000004.attempt-alive"]
    assert os.listdir(folder) == ["000002"]
    sweep(str(tmp_path / "nvme" / "job"), "here", True)
    assert os.listdir(tmp_path / "nvme") == []


def test_a_full_disk_is_named_with_its_node(tmp_path, runs, commands, monkeypatch):
    def write(*_):
        raise OSError(errno.ENOSPC, "No space left on device")
    monkeypatch.setattr(slices_module, "_copy", write)
    with pytest.raises(sortie.Error, match=f"^on {os.uname().nodename}: cannot write '.*': No space left on device$"):
        with within_reach(runs, 3, str(tmp_path / "nvme" / "job"), commands):
            pass
    assert os.listdir(tmp_path / "nvme" / "job" / "here") == []


def test_a_folder_of_others_is_not_taken(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(sortie.Error, match="'.*/link' is not this user's folder: name another with --scratch"):
        private_folder(str(tmp_path / "link"), "here")
    assert os.listdir(tmp_path / "elsewhere") == []


@pytest.mark.parametrize("text", ["", "node", "node:", "node:here", "/nvme", "disk:/nvme"])
def test_scratch_is_a_folder_of_each_node(text):
    assert parse_scratch("node:/nvme/a:b") == "/nvme/a:b"
    with pytest.raises(sortie.Error, match="for --scratch: give node:DIR"):
        parse_scratch(text)


def test_copies_that_are_gone_with_their_disk_say_nothing_of_the_run(tmp_path, runs, commands):
    with pytest.raises(sortie.Error, match="what was copied to .* is gone"), \
            within_reach(runs, 3, str(tmp_path / "nvme" / "job"), commands) as near:
        os.unlink(near[1].path)
        raise sortie.Error(f"cannot read {near[1].path}")
    with pytest.raises(sortie.Error, match="is damaged"), \
            within_reach(runs, 3, str(tmp_path / "nvme" / "job"), commands):
        raise sortie.Error("there-run is damaged")
