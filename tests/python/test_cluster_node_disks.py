"""Runs on disks that only their node sees: folders of two or three nodes on this machine, which go with their node."""

import json
import os
import shutil
import threading

import pytest

ray = pytest.importorskip("ray", reason="ray is not installed (every test of this file)")
from cluster_jobs import Jobs, wait_until  # noqa: E402
from faulty_command import flip_a_byte  # noqa: E402
from ray_cluster import bytes_in_object_stores, check_files, cluster, faults, jobs, nodes, run  # noqa: E402, F401

from sortie.cluster.node_disks import Piece  # noqa: E402
from sortie.cluster.ray_disks import AllRayDisks, RayDisks, on_node, packed  # noqa: E402

SHARDS, RANGES = 5, 4


@pytest.fixture
def disks(tmp_path):
    folder = tmp_path / "nvme"
    folder.mkdir()
    return folder


@pytest.fixture
def sort(nodes, disks, monkeypatch):
    def sort_on_disks(jobs, **options):
        return jobs.sort_files(monkeypatch, engine="ray", scratch=f"node:{disks}", **{"workers": 3, **options})
    return sort_on_disks


def nodes_of_shards(jobs):
    """For each shard that is formed, the node that has its runs."""
    formed = [json.loads(path.read_text()) for path in (jobs.job / "formed").glob("??????.json")]
    return {told["shard"][0]: told["scratch_node"] for told in formed}


def check_all(jobs, disks):
    check_files(jobs)
    # What belongs to a node that was killed may take a moment to go.
    wait_until(lambda: os.listdir(disks) == [])


def sort_and_kill(sort, jobs, nodes, disks, node, is_time, **options):
    """Removes the node with its disk when it is time. Returns the shards whose runs it had."""
    lost = []

    def kill():
        wait_until(is_time)
        lost.extend(shard for shard, of in nodes_of_shards(jobs).items() if of == node.node_id)
        nodes.remove_node(node, allow_graceful=False)
        for folder in disks.glob(f"*/{node.node_id}"):
            # Processes of the node that end a little later may still rename in there.
            while folder.exists():
                shutil.rmtree(folder, ignore_errors=True)
    killer = threading.Thread(target=kill)
    killer.start()
    sort(jobs, **options)
    killer.join()
    check_all(jobs, disks)
    return lost


@pytest.mark.parametrize("moment", [None, "place-form-0", "place-cut-1", "place-merge-2"])
def test_the_runs_of_a_second_sort_lie_there_too(jobs, sort, nodes, disks, moment):
    killer = None
    if moment is not None:
        node = nodes.add_node(num_cpus=1)
        nodes.wait_for_nodes()

        def kill():
            wait_until(lambda: moment in jobs.commands())
            nodes.remove_node(node, allow_graceful=False)
            for folder in disks.glob(f"*/{node.node_id}"):
                while folder.exists():
                    shutil.rmtree(folder, ignore_errors=True)
        killer = threading.Thread(target=kill)
        killer.start()
    sort(jobs, unique=True, order="input")
    if killer is not None:
        killer.join()
    assert jobs.output.read_bytes() == jobs.expected("-u", "--order=input")
    wait_until(lambda: os.listdir(disks) == [])


@pytest.mark.parametrize("stage, count", [("form", 3), ("late form", 1), ("cut", 1), ("merge", 3)])
def test_shards_of_a_node_that_dies_are_formed_again_and_only_those(jobs, sort, nodes, disks, stage, count):
    node = nodes.add_node(num_cpus=1)
    nodes.wait_for_nodes()
    # Three at once, on three nodes.
    for number in range(3):
        jobs.fail(f"form-{number}", "pause")
    names = {"form": [f"form-{number}" for number in range(3)], "late form": ["form-4"],
             "cut": [f"cut-{number}" for number in range(SHARDS)],
             "merge": [f"merge-{number}" for number in range(RANGES)]}[stage]
    for name in names:
        jobs.fail(name, "pause")

    def is_time():
        has_runs = stage != "late form" or set(nodes_of_shards(jobs)) >= set(range(4))
        return has_runs and len(set(names) & set(jobs.commands())) >= count
    lost = sort_and_kill(sort, jobs, nodes, disks, node, is_time)
    if stage != "form":
        commands = jobs.commands()
        again = {shard for shard in range(SHARDS) if commands.count(f"form-{shard}") > 1}
        # The one that is being formed then may be so on the node that dies.
        assert lost and set(lost) == again - ({4} - set(lost) if stage == "late form" else set())


def test_merges_read_from_a_node_as_it_dies(tmp_path, faults, sort, nodes, disks):
    jobs = Jobs(tmp_path, faults=faults, lines=(25_000, 15_000, 0))
    node = nodes.add_node(num_cpus=1)
    nodes.wait_for_nodes()
    for number in range(3):
        jobs.fail(f"form-{number}", "pause")
    # The next ones begin before anybody knows that the node is dead.
    lost = sort_and_kill(sort, jobs, nodes, disks, node, lambda: "merge-1" in jobs.commands(), shard="60K", ranges=12)
    formed = jobs.commands()
    for path in faults.iterdir():
        path.unlink()
    assert lost and all(formed.count(f"form-{shard}") == 1 for shard in set(range(SHARDS)) - set(lost))


def test_a_driver_that_is_started_again_finds_the_runs_on_disks_of_nodes(jobs, sort, nodes, disks):
    """Only one that is damaged there is formed again."""
    for part in range(RANGES):
        jobs.fail(f"merge-{part}", "fail")
    told = run(jobs, nodes, f"--scratch=node:{disks}", "--attempts=1")
    assert told.returncode == 2 and "no luck" in told.stderr
    for part in range(RANGES):
        (jobs.faults / f"merge-{part}").unlink(missing_ok=True)
    # What an attempt that was killed has left.
    node = next(iter(nodes_of_shards(jobs).values()))
    [folder] = disks.glob(f"*/{node}")
    (folder / "000001.attempt-x").mkdir()
    (folder / "000001.attempt-x" / "run").write_text("rest")
    assert folder.stat().st_mode & 0o777 == 0o700 and folder.parent.stat().st_mode & 0o777 == 0o700
    [run_file] = disks.glob("*/*/000002/sortie-run-*")
    flip_a_byte(run_file, -60)
    sort(jobs, attempts=1)
    check_all(jobs, disks)
    assert [jobs.commands().count(f"form-{shard}") for shard in range(SHARDS)] == [1, 1, 2, 1, 1]


def test_the_output_is_that_of_one_command_and_no_record_comes_into_the_object_store(tmp_path, faults, sort, nodes,
                                                                                     disks):
    jobs = Jobs(tmp_path, faults=faults, lines=(300_000, 200_000, 0))
    before = bytes_in_object_stores(nodes)
    sort(jobs, shard="500K")
    check_all(jobs, disks)
    read_from_another_node(tmp_path / "run", 20_000_000)
    after = bytes_in_object_stores(nodes)
    # Some bytes for each worker that starts.
    assert after - before < 10_000
    kept = ray.put(b"x" * 1_000_000)
    assert bytes_in_object_stores(nodes) - after >= 1_000_000
    del kept
    for path in faults.iterdir():
        path.unlink()


def read_from_another_node(path, count):
    path.write_bytes(os.urandom(count))
    disks = AllRayDisks("")
    first, second = sorted(disks.readers())[:2]

    def copy_is_equal(path, readers, node):
        data = bytearray(count)
        for piece, told in RayDisks(readers).read({node: [Piece(path, 0, 100), Piece(path, 100, count - 100)]}):
            data[piece.offset:piece.offset + piece.length] = told
        with open(path, "rb") as file:
            return file.read() == data
    remote = ray.remote(num_cpus=0, scheduling_strategy=on_node(first))(copy_is_equal)
    assert ray.get(remote.remote(str(path), disks.readers(), second))
    disks.stop()


def test_pieces_are_packed_into_values_of_a_size():
    values = list(packed([Piece("a", 5, 3), Piece("b", 0, 10), Piece("c", 1, 0), Piece("d", 7, 4)], 6))
    assert values == [[Piece("a", 5, 3), Piece("b", 0, 3)], [Piece("b", 3, 6)], [Piece("b", 9, 1), Piece("d", 7, 4)]]
