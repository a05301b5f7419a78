"""sortie-cluster simulate: the model keeps what cannot be otherwise, and agrees with calculations by hand."""

import argparse
import functools
import itertools
import random
import statistics
from dataclasses import replace

import pytest

import sortie
from sortie.cluster import _simulation_setup as costs, simulate as command
from sortie.cluster._simulation_flows import CPU, DISK, FlowSet, Load
from sortie.cluster._simulation_job import STAGES, simulate
from sortie.cluster._simulation_loads import metadata
from sortie.cluster.simulate import PUBLISHED
from sortie.cluster._simulation_setup import Setup, even_weights, staggered_weights
from sortie.cluster.formed import Samples

GB = 10**9
# 100 shards, so that 2, 4, 5, 10, 20, 25, 50 and 100 nodes have equal numbers of them.
SETUP = Setup(nodes=10, data_bytes=5000 * GB, shard_bytes=50 * GB, disk_read=4e9, disk_write=2e9, network=25e9 / 8)
PLACES = [{"files": files, "scratch": scratch} for files in ("node", "shared")
          for scratch in ("node", "memory", "shared")]
KINDS = [*PLACES, {"tasks": 3}, {"skew": 8.0}, {"sampling": "staggered"}, {"engine": "gpu"}, {"range_count": 37},
         {"memory_bytes": 20 * GB}, {"nodes": 7}, {"nodes": 300}]


@functools.cache
def outcome_of(kind):
    """The outcome of SETUP with the changes that are number `kind` of KINDS."""
    return simulate(replace(SETUP, **KINDS[kind]))


TIMES = {}


def seconds(setup, **changes):
    """Each setup is simulated once."""
    setup = replace(setup, **changes)
    if repr(setup) not in TIMES:
        TIMES[repr(setup)] = simulate(setup).seconds
    return TIMES[repr(setup)]


def idle_free(**changes):
    """Without what a task costs beside its bytes."""
    return replace(SETUP, seek_seconds=0, latency_seconds=0, sampling="staggered", **changes)


@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_every_byte_is_read_twice_and_written_twice(kind):
    stages = outcome_of(kind).stages
    for name in ("form", "merge"):
        assert stages[name].read == pytest.approx(SETUP.data_bytes)
        assert stages[name].written == pytest.approx(SETUP.data_bytes)
    assert all(stages[name].read == stages[name].written == 0 for name in ("bounds", "cut", "verify"))
    assert all(stages[name].repeated_tasks == 0 for name in STAGES)


@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_nothing_is_busier_than_always(kind):
    for stage in outcome_of(kind).stages.values():
        assert all(busy <= stage.node_seconds * (1 + 1e-9) for busy in stage.busy)


@pytest.mark.parametrize("kind", KINDS)
def test_shards_and_ranges_add_up_to_the_data(kind):
    setup = replace(SETUP, **kind)
    assert sum(setup.shard_sizes) == sum(setup.range_sizes) == setup.data_bytes
    assert len(setup.range_sizes) == setup.ranges and min(setup.range_sizes) >= 0


def test_a_merge_reads_all_but_its_own_node_s_runs_over_the_network():
    assert simulate(SETUP).stages["merge"].over_network == pytest.approx(SETUP.data_bytes * 9 / 10)
    assert simulate(SETUP).stages["form"].over_network == 0
    shared = simulate(replace(SETUP, files="shared", scratch="shared")).stages
    assert shared["form"].over_network == shared["merge"].over_network == pytest.approx(2 * SETUP.data_bytes)


def test_one_node_as_by_hand():
    setup = idle_free(nodes=1, data_bytes=10 * GB, disk_read=2e9, disk_write=1e9)
    stages = simulate(setup).stages
    moved = 10 / 0.8 * (1 / 2 + 1 / 1)
    assert stages["form"].seconds == pytest.approx(4.009 + moved, rel=1e-3)
    assert stages["merge"].seconds == pytest.approx(0.009 + moved, rel=1e-3)
    assert stages["bounds"].seconds + stages["verify"].seconds < 0.001
    assert stages["merge"].over_network == 0


def test_the_measured_sort_on_two_cores_and_a_disk():
    # RESULTS.md, "One merge pass on a disk": 35.5 s at -S 1G. What a worker of Ray takes to start is not in it.
    setup = Setup(nodes=1, data_bytes=10 * GB, shard_bytes=10 * GB, disk_read=1.4e9, disk_write=1.4e9, network=1e9,
                  cores=2, memory_bytes=1 << 30)
    assert simulate(setup).seconds - costs.WORKER_START_SECONDS == pytest.approx(35.5, rel=0.03)


@pytest.mark.parametrize(("change", "form", "merge", "bytes_per_second"), [
    ({"disk_read": 1e9, "disk_write": 1e9}, "disk", "disk", 0.8 / (1 / 1e9 + 1 / 1e9)),
    ({"cores": 1, "disk_read": 90e9, "disk_write": 90e9}, "CPU", "CPU", costs.MERGE_SPEEDS[1]),
    ({"network": 1e8}, "disk", "network", 0.8 * 1e8 / 0.9),
    ({"files": "shared", "scratch": "shared", "shared_read": 1e9, "shared_write": 1e9}, "shared file system",
     "shared file system", 1e8 / 2),
    ({"files": "shared", "network": 1e8, "scratch": "memory"}, "network in", "network out", 0.8 * 1e8 / 1.9)])
def test_the_slowest_resource_is_what_a_stage_waits_for(change, form, merge, bytes_per_second):
    stages = simulate(idle_free(**change)).stages
    assert stages["form"].bottleneck == form
    assert stages["merge"].bottleneck.startswith(merge)
    # Ranges differ by 6% at most, and the last tasks have nodes to themselves.
    ideal = SETUP.data_bytes / SETUP.nodes / bytes_per_second
    assert ideal * 0.98 < stages["merge"].seconds < ideal * 1.12


def test_small_slices_of_hard_disks_wait_for_seeks():
    # 2000 x 2000 slices of 250 kB, 8 ms for each.
    setup = Setup(nodes=100, data_bytes=1000 * GB, shard_bytes=GB // 2, disk_read=0.2e9, disk_write=0.2e9, network=3e9,
                  seek_seconds=8e-3)
    assert setup.seek_seconds > setup.request_bytes / setup.disk_read
    more = [simulate(setup).stages[stage].seconds - simulate(replace(setup, seek_seconds=0)).stages[stage].seconds
            for stage in ("form", "merge")]
    assert more[1] == pytest.approx(setup.slices * setup.seek_seconds / setup.nodes, rel=0.2)
    assert more[0] < more[1] / 10


@pytest.mark.parametrize("kind", [*PLACES, {"skew": 8.0}, {"tasks": 2}])
def test_more_is_never_slower(kind):
    setup = idle_free(**kind)
    for name, values in {"nodes": (1, 2, 5, 10, 25, 100), "disk_read": (1e9, 4e9, 8e9), "disk_write": (1e9, 2e9, 8e9),
                         "network": (1e8, 25e9 / 8, 1e10), "cores": (2, 16, 64),
                         "memory_bytes": (4 * GB, SETUP.memory_bytes, 256 * GB)}.items():
        times = [seconds(setup, **{name: value}) for value in values]
        # Each node has a worker to start, and for each task more the driver takes its milliseconds.
        assert all(after <= before * 1.002 + 1 for before, after in itertools.pairwise(times)), (name, times)


def test_more_skew_is_never_faster():
    times = [seconds(SETUP, skew=skew, sampling="staggered") for skew in (1.2, 2, 4, 8, 16, 64)]
    # Which task is the last one differs, too.
    assert all(after > 0.98 * before for before, after in itertools.pairwise(times))
    assert times[-1] > 1.5 * times[0]
    stage = simulate(replace(SETUP, skew=64.0)).stages["merge"]
    assert stage.bottleneck == "no task left"


@pytest.mark.parametrize("kind", [*PLACES, {"tasks": 3}, {"skew": 8.0}, {"nodes": 2}])
def test_the_loss_of_a_node_never_makes_it_faster(kind):
    setup = replace(SETUP, **kind)
    whole = simulate(setup).seconds
    for i in range(1, 9):
        lossy = simulate(setup, whole * i / 8 - 1e-3)
        assert lossy.seconds >= whole * (1 - 1e-9)
        assert lossy.total("read") >= 2 * SETUP.data_bytes * (1 - 1e-9)
    assert simulate(setup, whole + 1).seconds == whole


def test_what_a_lost_node_held_is_formed_again_and_nothing_else():
    whole = simulate(SETUP)
    in_merge = whole.seconds - whole.stages["merge"].seconds / 2
    stages = simulate(SETUP, in_merge).stages
    assert stages["form"].repeated_tasks == stages["cut"].repeated_tasks == SETUP.shards / SETUP.nodes
    assert stages["form"].read == pytest.approx(SETUP.data_bytes * 1.1)
    # Nothing of the lost node is needed where runs and outputs lie elsewhere, but what it was at.
    shared = replace(SETUP, files="shared", scratch="shared")
    stages = simulate(shared, simulate(shared).seconds - 20).stages
    assert stages["form"].repeated_tasks == stages["cut"].repeated_tasks == 0
    assert stages["merge"].repeated_tasks <= 1


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_arguments_give_the_same_result(kind):
    def told(outcome):
        return [(name, vars(stage)) for name, stage in outcome.stages.items()]

    setup = replace(SETUP, **kind)
    assert told(simulate(setup, 100.0)) == told(simulate(replace(setup), 100.0))


@pytest.mark.parametrize("is_staggered", [False, True])
@pytest.mark.parametrize(("shards", "ranges"), [(100, 100), (200, 50), (60, 300)])
def test_ranges_differ_as_the_driver_s_bounds_make_them_differ(is_staggered, shards, ranges):
    count, run_bytes, numbers = 64, 64_000_000, random.Random(3)
    samples = Samples()
    keys = []
    for shard in range(shards):
        shift = numbers.random() if is_staggered else 0
        places = [(i + shift) / count for i in range(count)]
        keys.append([min(1, max(0, place + numbers.gauss(0, 1e-5))) for place in places])
        samples.add_shard(shard, shard, [run_bytes], [
            {"run": 0, "block": i, "block_bytes": 0, "output_bytes": int(place * run_bytes), "key": f"{key:.12f}",
             "is_whole": True}
            for i, (place, key) in enumerate(zip(places, keys[-1], strict=True))])
    bounds = [0, *(keys[choice.shard][choice.sample] for choice in samples.choose(ranges, True)), 1]
    sizes = [(end - begin) * ranges for begin, end in itertools.pairwise(bounds)]
    weights = staggered_weights(ranges, count, shards) if is_staggered else even_weights(ranges, count)
    model = [weight * ranges / sum(weights) for weight in weights]
    # The last range also has what lies behind the last samples.
    ratio = statistics.pstdev(model) / statistics.pstdev(sizes[:-1])
    assert 0.5 < ratio < 2 if is_staggered else 0.9 < ratio < 1.1
    assert is_staggered or max(model) == pytest.approx(max(sizes), rel=0.05)


# To trace each allocation takes longer than to simulate.
MEMORY_PROGRAM = """
import re
from math import inf
from sortie.cluster._simulation_job import simulate
from sortie.cluster._simulation_setup import Setup

def most_memory():
    with open("/proc/self/status") as file:
        return int(re.search(r"VmHWM:\\s*(\\d+) kB", file.read())[1]) << 10

setup = {setup}
before = most_memory()
requests = simulate(setup).total("requests")
print(most_memory() - before, requests)
"""


def test_2000_by_2000_takes_little_memory_and_metadata(run_python):
    setup = Setup(nodes=100, data_bytes=10**14, shard_bytes=50 * GB, disk_read=4e9, disk_write=2e9, network=25e9 / 8)
    told = run_python(MEMORY_PROGRAM.replace("{setup}", repr(setup)))
    assert told.returncode == 0, told.stderr
    peak, requests = map(float, told.stdout.split())
    assert (setup.shards, setup.ranges, setup.slice_bytes) == (2000, 2000, 25e6)
    assert peak < 20e6
    assert sum(kind.bytes for kind in metadata(setup)) < setup.data_bytes / 1000
    assert requests >= setup.slices


def test_flows_share_what_is_full_and_leave_the_rest_to_others():
    flows, ended = FlowSet(2), []
    reading = Load("read", own=tuple(0.01 if resource == DISK else 0 for resource in range(4)))
    slow = Load("slow", own=tuple(0.01 if resource in (DISK, CPU) else 0 for resource in range(4)), most_speed=20)
    flows.start(0, reading, 800, lambda: ended.append("a"))
    flows.start(0, slow, 100, lambda: ended.append("b"))
    flows.start(1, reading, 150, lambda: ended.append("c"))

    def step():
        passed = flows.seconds_to_end()
        flows.advance(passed)
        for flow in flows.ended():
            flow.done()
        return passed

    assert step() == pytest.approx(1.5)
    assert ended == ["c"]
    assert flows.seconds_to_end() == pytest.approx(3.5)
    assert flows.waits == {"disk": 1, "one task": 1}
    assert step() == pytest.approx(3.5)
    assert ended == ["c", "b"]
    # 400 of 800 went at 80 a second, beside the slow one.
    assert step() == pytest.approx(4)
    assert ended == ["c", "b", "a"]
    assert flows.seconds_to_end() is None


def test_measured_speeds_are_met_and_grow_with_cores():
    for speeds in (costs.FORM_SPEEDS, costs.MERGE_SPEEDS):
        assert all(costs.speed(speeds, cores) == pytest.approx(speed) for cores, speed in speeds.items())
        modelled = [costs.speed(speeds, cores) for cores in (0.5, 1, 2, 3, 8, 16, 20, 96)]
        assert modelled == sorted(modelled)


WORDS = ["--nodes=100", "--data=100TB", "--disk=4,2", "--network=25", "--shard=50GB"]


def test_the_report_has_what_was_promised(capsys, monkeypatch):
    words = [*WORDS, "--data=20TB"]
    assert command.simulate_words(words) == 0
    told = capsys.readouterr().out
    assert told.startswith("Modelled, not measured.")
    assert "400 shards of 50 GB, 1 run each; 400 ranges; 160000 slices of 125 MB\n" in told
    for text in ("| bottleneck ", "| requests ", " GB/s a node; largest range ", "Metadata: ", "; files with runs and ",
                 "A node lost in the middle of merging, after ", "Blocks at bounds: ",
                 "Exoshuffle-CloudSort 2022, 40 nodes | 5378 s", "Tencent Sort 2016, 512 nodes        | 98.8 s"):
        assert text in told, text
    monkeypatch.setattr(command, "PUBLISHED", ())
    command.simulate_words([*words, "--loss=100"])
    assert "A node lost as told, after 100 s: " in capsys.readouterr().out


def test_warnings_of_the_report(capsys, monkeypatch):
    def told(*words):
        command.simulate_words(["--nodes=20", "--disk=0.2,0.2", "--network=10", "--data=200GB", *words])
        return capsys.readouterr().out

    monkeypatch.setattr(command, "PUBLISHED", ())
    assert "Requests take longer than their bytes" in told("--shard=1GB", "--seek=40")
    many = told("--shard=1GB", "--memory=1700M", "--sampling=even")
    assert "That is more than 5%" in many
    assert "Memory for a merge of 200 runs is too small" in many
    assert "256 samples a shard are few for 200 ranges" in many
    quiet = told("--shard=10GB")
    assert not [text for text in ("Requests take", "more than 5%", "too small", "are few") if text in quiet]


def test_published_setups_are_as_published():
    for published in PUBLISHED:
        assert published.setup.data_bytes == 10**14
        published.setup.check()
    assert [published.setup.nodes for published in PUBLISHED] == [40, 512]


@pytest.mark.parametrize(("words", "message"), [
    (["--nodes=0"], "invalid value '0' for --nodes: give a whole number such as 100"),
    (["--nodes=many"], "invalid value 'many' for --nodes"),
    (["--nodes=999999"], "999999 nodes are more than the 100000 that can be simulated: give fewer nodes"),
    (["--data=7X"], "invalid value '7X' for --data"),
    (["--shard=1K"], "shards are more than the 100000 that can be simulated: give a larger --shard"),
    (["--ranges=100001"], "give fewer --ranges"),
    (["--disk=4"], "invalid value '4' for --disk: give the speeds of reading and writing in GB/s, such as 4,2"),
    (["--disk=4,0"], "invalid value '0' for --disk: give a number above 0"),
    (["--disk=4,nan"], "invalid value 'nan' for --disk"),
    (["--network=-1"], "invalid value '-1' for --network"),
    (["--network=1e999"], "invalid value '1e999' for --network"),
    (["--shared=1,1"], "--shared is for --files=shared or --scratch=shared"),
    (["--tasks=17"], "--tasks must be at most 16, the number of cores"),
    (["--skew=0.5"], "invalid value '0.5' for --skew: give a number, 1 or more"),
    (["--skew=2001"], "--skew must be at most 2000, the number of ranges"),
    (["--loss=soon"], "invalid value 'soon' for --loss"),
    (["--loss=1", "--nodes=1"], "a job on one node does not outlive it"),
    (["--engine=abacus"], "invalid choice: 'abacus'"),
    (["--frobnicate"], "unrecognized arguments: --frobnicate; try 'sortie-cluster simulate --help'")])
def test_bad_arguments_are_one_clear_line(words, message, capsys):
    with pytest.raises(sortie.Error) as error:
        command.simulate_words([*WORDS, *words])
    assert message in str(error.value) and "\n" not in str(error.value)
    assert capsys.readouterr() == ("", "")


def test_help_names_every_unit(monkeypatch):
    monkeypatch.setattr(command, "PUBLISHED", ())
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    told = " ".join(parser.format_help().split())
    for text in ("GB/s (10^9 bytes per second)", "Gbit/s (10^9 bits per second) each way", "100TB (of 1000^4)",
                 "milliseconds", "--loss SECONDS"):
        assert text in told, text
    assert command.run(parser.parse_args(["--nodes=2", "--data=1G", "--disk=1,1", "--network=1"])) == 0
