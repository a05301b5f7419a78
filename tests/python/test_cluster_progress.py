"""How far a job of a cluster is: what is done grows to what will be done in all, which is known better from stage to
stage."""

import gzip

import pytest
from cluster_jobs import Jobs
from sortie.cluster.progress import Expected, Progress


@pytest.fixture
def jobs(tmp_path):
    return Jobs(tmp_path, lines=(700, 600, 300), shard="2K")


OPTIONS = [{}, {"unique": True}, {"unique": True, "order": "input"}, {"sample": 50, "sample_seed": "x"},
           {"sample": 50, "sample_seed": "x", "unique": True, "order": "input"}, {"shuffle": "x"},
           {"split_by": "1.5,1.5"}, {"split": 2}]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("is_packed", [False, True])
def test_all_is_done_in_the_end_and_not_before(jobs, monkeypatch, options, is_packed):
    if is_packed:
        jobs.inputs[0].write_bytes(gzip.compress(jobs.inputs[0].read_bytes()))
    if "split" in options or "split_by" in options:
        jobs.output = jobs.folder / "out-{}"
    heard = []
    jobs.sort_files(monkeypatch, progress=lambda *told: heard.append(told), **options)
    assert all(0 <= done <= total for _, done, total in heard)
    last_stage, done, total = heard[-1]
    assert done == total > 0
    first_complete = next(number for number, (_, done, total) in enumerate(heard) if done == total)
    assert {stage for stage, _, _ in heard[first_complete:]} == {last_stage}


def told_of(expected, calls):
    heard = []
    progress = Progress(lambda *told: heard.append(told), expected)
    for name, *arguments in calls:
        getattr(progress, name)(*arguments)
    return heard


def test_a_stage_that_has_not_begun_is_expected_to_move_what_the_one_in_front_moves():
    expected = [Expected("form", 100, None), Expected("merge"), Expected("form by place", share=0.5),
                Expected("merge by place")]
    heard = told_of(expected, [("begin", "form", 100, 0), ("add", "form", 100), ("begin", "cut", 0, 0),
                               ("begin", "merge", 60, 0),
                               ("add", "merge", 60), ("begin", "form by place", 10, 0), ("add", "form by place", 10),
                               ("begin", "merge by place", 20, 0), ("add", "merge by place", 20)])
    assert [told[1:] for told in heard] == [(0, 300), (100, 300), (100, 300), (100, 220), (160, 220), (160, 180),
                                            (170, 180), (170, 190), (190, 190)]


def test_what_is_to_be_done_again_is_not_done():
    heard = told_of([Expected("form", 10, None), Expected("merge")],
                    [("begin", "form", 10, 0), ("add", "form", 10), ("begin", "merge", 10, 0),
                                                                      ("add", "merge", 8), ("begin", "form", 10, 5)])
    assert [told[1:] for told in heard] == [(0, 20), (10, 20), (10, 20), (18, 20), (5, 20)]


def test_what_never_begins_is_not_waited_for():
    calls = [("begin", "split", 10, 0), ("add", "split", 10), ("end",)]
    assert told_of([Expected("split", 10, None), Expected("join", share=0.5)], calls) == [("split", 0, 15),
                                                                                          ("split", 10, 15),
                                                                                          ("split", 10, 10)]
    assert told_of([Expected("split", 10, None)], calls)[-1] == ("split", 10, 10)
