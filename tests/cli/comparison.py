"""The harness of the comparisons in this folder. A comparison makes inputs by random choices, gives them to Sortie and to
a plain model in Python or to another program, and compares what they make of them. It is a function of a Round, which
raises Difference, and a number of rounds, for compare().

usage of each: compare_SOMETHING PATH_OF_SORTIE [ROUNDS [SEED]]

The seed of a round that fails is printed: it fails again with ROUNDS 1 and that SEED. Under sanitizers there are fewer
rounds: every Nth with SORTIE_TURN_STEP=N.
"""

import gzip
import os
import random
import subprocess
import sys
import tempfile

RESOURCES = [[], ["-S", "256K"], ["--parallel=1"], ["-S", "1M", "--parallel=3"]]
SHOWN_BYTES = 200


class Difference(Exception):
    """Says which command made something else than the model."""


class Round:
    """Random choices, a folder, and a command of Sortie: its options are `words`, its inputs are added."""

    def __init__(self, sortie, seed, folder):
        self.sortie, self.folder = sortie, folder
        self.choice = random.Random(seed)
        self.words, self.inputs, self.piped = [], [], b""
        self.environment = {**os.environ, "LC_ALL": "C", "TMPDIR": folder}

    def happens(self, probability):
        return self.choice.random() < probability

    def path(self, name):
        return os.path.join(self.folder, name)

    def maybe_cut(self, data, probability=0.3):
        """`data` without its last byte, which ends a line, or as it is."""
        return data[:-1] if self.happens(probability) else data

    def add_input(self, data, packed=0.3, piped=0.0):
        """Makes `data` the next input: standard input, a file of gzip or a plain one, with these probabilities."""
        if "-" not in self.inputs and self.happens(piped):
            self.piped = data
            self.inputs.append("-")
            return
        path = self.path(f"in{len(self.inputs)}")
        if self.happens(packed):
            path += ".gz"
            data = gzip.compress(data, 1)
        with open(path, "wb") as file:
            file.write(data)
        self.inputs.append(path)

    def try_command(self, command, stdin=b""):
        return subprocess.run(command, input=stdin, capture_output=True, env=self.environment)

    def run(self, command, stdin=b""):
        """What a command prints. It must succeed."""
        done = self.try_command(command, stdin)
        if done.returncode != 0:
            raise Difference(f"{command}: status {done.returncode}: {done.stderr.decode(errors='replace')}")
        return done.stdout

    def command(self, *more):
        return [self.sortie, *self.words, *more, *self.inputs]

    def try_sort(self):
        return self.try_command(self.command(), self.piped)

    def sort(self, *more):
        return self.run(self.command(*more), self.piped)

    def expect(self, expected, *more):
        """Sorts the inputs, and compares the output with these bytes."""
        output = self.sort(*more)
        self.expect_same(output, expected, self.command(*more))
        return output

    def expect_same(self, output, expected, command):
        if output == expected:
            return
        at = next((i for i, (one, other) in enumerate(zip(output, expected)) if one != other),
                  min(len(output), len(expected)))
        begin = max(0, at - SHOWN_BYTES // 4)
        raise Difference(f"{command}: {len(output)} bytes in place of {len(expected)}, the first other one at {at}:\n"
                         f"got      {output[begin:begin + SHOWN_BYTES]!r}\n"
                         f"expected {expected[begin:begin + SHOWN_BYTES]!r}")

    def require(self, condition, what):
        if not condition:
            raise Difference(f"{self.command()}: {what}")


def skip(why):
    """Ends the program as one that ctest counts as skipped; where CI is set it fails."""
    print(why)
    sys.exit(1 if os.environ.get("CI") else 77)


def need_gnu_sort():
    told = subprocess.run(["sort", "--version"], capture_output=True, check=False)
    if b"GNU coreutils" not in told.stdout:
        skip("sort is not GNU sort")


def without_equal(records, key, keep_last=False):
    """The first or the last of equal records, which are in order."""
    kept = {}
    for record in records:
        value = key(record)
        if keep_last or value not in kept:
            kept[value] = record
    return list(kept.values())


def make_round(check, sortie, seed):
    with tempfile.TemporaryDirectory(prefix="sortie-compare-") as folder:
        try:
            check(Round(sortie, seed, folder))
        except Difference as difference:
            sys.exit(f"seed {seed}: {difference}")
        except Exception:
            print(f"seed {seed}: the comparison itself fails", file=sys.stderr)
            raise


def compare(check, rounds, first_seed=None, finish=None):
    """Runs `check` for one round after the other, and ends the program. Unless `first_seed` is given the rounds are others
    each time. `finish` checks something more behind them, once."""
    sortie = os.path.abspath(sys.argv[1])
    step = int(os.environ.get("SORTIE_TURN_STEP") or 1)
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else -(-rounds // step)
    first_seed = int(sys.argv[3]) if len(sys.argv) > 3 else first_seed or random.randrange(1 << 32)
    for seed in range(first_seed, first_seed + rounds):
        make_round(check, sortie, seed)
    if finish:
        make_round(finish, sortie, first_seed)
    print(f"{rounds} rounds from seed {first_seed}")
    sys.exit(0 if rounds > 0 else "no round was made")
