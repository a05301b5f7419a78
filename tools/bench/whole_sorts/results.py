"""Reports the results of tools/bench/end_to_end."""
import json
import pathlib
import statistics
import subprocess
import sys

import figures

from . import machine


def speed(result, run):
    return result["bytes"] / run["seconds"] / 1e9


def ours(result):
    """The runs of sortie, by the names of the contenders. The others are compared with the first."""
    return {name: run for name, run in result["runs"].items() if "stats" in run}


def sortie_ratios(result, run):
    """The time of each run as a multiple of sortie's in the same turn, ascending."""
    first = next(iter(ours(result).values()))
    return sorted(theirs / own for theirs, own in zip(run["all_seconds"], first["all_seconds"]))


def with_spread(values):
    middle, least, most = map(figures.seconds, (statistics.median(values), min(values), max(values)))
    return f"{middle} ({least} to {most})"


def bottlenecks(stats):
    """"output writing 61% of 2.00 s", "forming runs (1.50 s): reading 84%", ...: the whole, then phases that matter."""
    if not stats["resources"]:
        return ["-"]
    whole = stats["resources"][0]
    found = [f"{whole['name']} {100 * whole['share']:.0f}% of {figures.seconds(stats['elapsed_seconds'])} s"]
    for phase in stats["phases"]:
        if phase["resources"] and phase["seconds"] > stats["elapsed_seconds"] / 100:
            busiest = phase["resources"][0]
            found.append(f"{phase['name']} ({figures.seconds(phase['seconds'])} s): {busiest['name']} {100 * busiest['share']:.0f}%")
    return found


def table(outcome):
    lines = ["| case | program | seconds | GB/s | times the first's | of a copy | CPU seconds | peak memory |",
             "|---|---|---|---|---|---|---|---|"]
    notes = []
    for result in outcome:
        if "skipped" in result:
            notes.append(f"{result['case']}: skipped: {result['skipped']}")
            continue
        for name, run in result["runs"].items():
            share = speed(result, run) / result["copy_gb_per_second"]
            seconds = with_spread(run["all_seconds"])
            lines.append(f"| {result['case']} | {name} | {seconds} | {speed(result, run):.3g} | "
                         f"{with_spread(sortie_ratios(result, run))} | {100 * share:.0f}% | "
                         f"{figures.seconds(run['processor_seconds'])} | {figures.size(run['peak_bytes'])} |")
        notes += [f"{result['case']}: {name} failed: {why}" for name, why in result["failed"].items()]
        for name, run in ours(result).items():
            stats = run["stats"]
            notes.append(f"{result['case']}: {name}: engine {stats['engine']} ({stats['engine_reason']}); busiest: "
                         + "; ".join(bottlenecks(stats)))
    return "\n".join([*lines, "", *notes])


def commit():
    """The commit of the sources beside this file; empty outside a checkout."""
    folder = pathlib.Path(__file__).parent
    done = subprocess.run(["git", "-C", folder, "describe", "--always", "--dirty"], capture_output=True, text=True,
                          check=False)
    return done.stdout.strip()


def write_json(path, outcome, tools, options):
    for result in outcome:
        for run in result.get("runs", {}).values():
            run["gb_per_second"] = speed(result, run)
            run["times_sortie"] = statistics.median(sortie_ratios(result, run))
            run["share_of_copy"] = run["gb_per_second"] / result["copy_gb_per_second"]
    whole = {"commit": commit(), "command": sys.argv, "machine": machine.describe(), "threads": options.threads,
             "size": options.size, "limit": options.limit, "repeats": options.repeats,
             "sortie": str(tools.sortie), "cases": outcome}
    path.write_text(json.dumps(whole, indent=2) + "\n", encoding="utf-8")
