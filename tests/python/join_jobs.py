"""Joins of a cluster on this machine, of made-up sides."""

import subprocess

from cluster_jobs import Jobs

from sortie.__main__ import find_command


def rows(numbers, count, keys, fields=3, separator=","):
    """Lines of a key and other fields, of which some are empty."""
    def row(number):
        others = [random_field(numbers) for _ in range(fields - 2)]
        return separator.join([keys(numbers), f"r{number}", *others])
    return "".join(f"{row(number)}\n" for number in range(count))


def random_field(numbers):
    return numbers.choice(["", "x", "yy", f"{numbers.randrange(1000)}"])


def uniform(most):
    """Keys of which a few are empty."""
    return lambda numbers: f"{numbers.randrange(most):05}" if numbers.random() < 0.99 else ""


def mostly_one(most):
    return lambda numbers: "00007" if numbers.random() < 0.6 else f"{numbers.randrange(most):05}"


def joins(folder, left, right, **others):
    """Jobs whose inputs are two files of these texts."""
    jobs = Jobs(folder, lines=(0, 0, 0), **others)
    jobs.inputs = jobs.inputs[:2]
    for path, text in zip(jobs.inputs, (left, right)):
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    return jobs


def one_command(jobs, *options):
    words = [find_command(), *options, *map(str, jobs.inputs)]
    return subprocess.run(words, capture_output=True, text=True, env=jobs.environment)
