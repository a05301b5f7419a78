#!/usr/bin/env bash
# Tests tools/bench/end_to_end and scaling from outside, on little data. Usage: end_to_end_test.bash TOOLS_DIRECTORY
# BUILD_DIRECTORY
set -euo pipefail
bench=$(realpath "$1")/bench/end_to_end
build=$(realpath "$2")
# shellcheck source=tests/tools/expect.bash
source "$(dirname "$(realpath "$0")")/expect.bash"
cd "$scratch"
mkdir files disk
common=(--build="$build" --directory=files --scratch=disk --repeats=1 --threads=2)

expect_nothing_left() {
  local left
  left=$(find files disk -mindepth 1)
  [ -z "$left" ] || fail "left behind: $left"
}

# rows PROGRAM: prints the cases in which the program took part.
rows() { grep -F "| $1 |" "$scratch/stdout" | cut -d '|' -f 2 | xargs; }

expect 0 "$bench" --list
expect_text stdout "binary-both-limits"

expect 0 "$bench" "${common[@]}" --size=2M --limit=500K --cases=lines,lines-spilled,binary,u64 --json=all.json
expect_nothing_left
[ "$(rows 'GNU sort')" = "lines lines-spilled" ] || fail "GNU sort took part in '$(rows 'GNU sort')'"
for name in lines lines-spilled binary u64; do
  [[ " $(rows sortie) " == *" $name "* ]] || fail "no row of sortie for $name"
done
expect_text stdout "; busiest: "
expect 0 python3 - all.json <<'PYTHON'
import json, sys
whole = json.load(open(sys.argv[1], encoding="utf-8"))
cases = {case["case"]: case for case in whole["cases"]}
lines = cases["lines-spilled"]
assert lines["bytes"] == 2000000, lines
assert set(lines["runs"]) >= {"sortie", "GNU sort", "cp"}, lines["runs"].keys()
for run in lines["runs"].values():
    assert run["seconds"] > 0 and run["gb_per_second"] > 0 and 0 < run["share_of_copy"], run
assert lines["runs"]["sortie"]["times_sortie"] == 1
stats = lines["runs"]["sortie"]["stats"]
assert stats["input_bytes"] == 2000000 and stats["resources"] and stats["runs"] > 1, stats
assert whole["command"] and whole["machine"]["processor"]
PYTHON

expect 0 "$bench" "${common[@]}" --size=1M --limit=300K --cases=short,long-spilled,few,nearly-spilled,locale
for name in short long-spilled few nearly-spilled; do
  [[ " $(rows sortie) " == *" $name "* ]] || fail "no row of sortie for $name"
  [[ " $(rows 'GNU sort') " == *" $name "* ]] || fail "no row of GNU sort for $name"
done
if locale -a | grep -qi '_.*utf-\?8$'; then
  [[ " $(rows 'GNU sort') " == *" locale"* ]] || fail "no row of GNU sort in a language's order"
else
  expect_text stdout "locale: skipped: this machine has no locale"
fi

expect 0 "$bench" "${common[@]}" --size=1M --limit=300K --cases=pipe,disk,disk-spilled
expect_nothing_left
[ "$(rows sortie)" = "pipe disk disk-spilled" ] || fail "no rows of sortie for pipes and disks: '$(rows sortie)'"
[ "$(rows 'GNU sort')$(rows 'pipe alone')" = "pipepipe" ] || fail "no peers of a pipe"
[ "$(rows 'read, then write')" = "disk disk-spilled" ] || fail "no peer of a disk"

# A row for each size, and for each part of it as memory.
expect 0 "$(dirname "$bench")/growth" --build="$build" --directory=files --repeats=1 --threads=2 --sizes=100K,1M --size=1M --shares=2,4
[ "$(wc -l <"$scratch/stdout")" = 5 ] || fail "growth printed $(wc -l <"$scratch/stdout") lines"
[ "$(awk 'NR > 1 {print $1, $2}' "$scratch/stdout" | head -n 1)" = "100 KB" ] || fail "growth has no row for the least size"
[ "$(tail -n 1 "$scratch/stdout" | awk '{print $3, $4}')" = "250 KB" ] || fail "growth has no row for the least memory"
expect_nothing_left
expect 2 "$(dirname "$bench")/growth" --build="$build" --shares=1
expect_text stderr "give numbers of at least 2"

# Without a GPU, its cases are named with the reason.
if ! "$build/src/sortie" --engine=gpu --plan /dev/null >/dev/null 2>&1; then
  expect 0 "$bench" "${common[@]}" --size=100K --cases=binary-both-limits,u64
  expect_text stdout "binary-both-limits: skipped: "
  [ "$(rows sortie)" = u64 ] || fail "without a GPU sortie took part in '$(rows sortie)'"
fi

expect 0 "$bench" "${common[@]}" --size=100K --cases=u64 --wall=12.5 --engines=auto,cpu --touch=10M --json=wall.json
expect_text wall.json '"copy_gb_per_second": 12.5'
[ "$(rows sortie)" = u64 ] || fail "--cases=u64 ran '$(rows sortie)'"
[ "$(rows 'sortie, cpu')" = u64 ] || fail "--engines=auto,cpu ran '$(rows 'sortie, cpu')' with the second"
[ -z "$(rows cp)" ] || fail "cp took part although --wall was given"
expect 2 "$bench" "${common[@]}" --engines=abacus
expect_text stderr "--engines takes auto, gpu and cpu"

# A peer that does not sort is found out, and does not end the bench.
mkdir bad
cat >bad/sort <<'SHELL'
#!/bin/sh
while [ $# -gt 2 ]; do shift; done
cp "$2" "$1"
SHELL
chmod +x bad/sort
expect 0 env PATH="$scratch/bad:$PATH" "$bench" "${common[@]}" --size=100K --cases=lines
expect_text stdout "lines: GNU sort failed: "
expect_nothing_left

expect 2 "$bench" "${common[@]}" --cases=lines,nothing
expect_stderr "end_to_end: unknown case 'nothing'; known: lines, lines-spilled, pipe, disk, disk-spilled, binary, binary-device-limit, \
binary-both-limits, binary-spilled, u64, u64-spilled, log, log-spilled, short, short-spilled, long, long-spilled, few, \
few-spilled, nearly, nearly-spilled, locale, locale-spilled"
expect 2 "$bench" --build=nowhere
expect_stderr "end_to_end: no src/sortie in 'nowhere'; build it, or give the build folder with --build"
expect 2 "$bench" "${common[@]}" --cases=binary --size=1000T
expect_text stderr "are needed in files and"
expect_text stderr "give another directory or a smaller --size"
expect 2 "$bench" --size=much
expect_text stderr "'much' is no size"
expect_nothing_left

# The curve over threads, of the same cases.
scaling=(--build="$build" --directory=files --size=1M)
expect 0 "${bench%/*}/scaling" "${scaling[@]}" --threads=1,2 --cases=lines,u64-spilled,log --plot=curve.svg --json=curve.json
[ "$(rows 'sortie, cpu')" = "lines lines u64-spilled u64-spilled log log" ] || fail "$(rows 'sortie, cpu')"
[ "$(rows 'GNU sort')" = "lines lines log log" ] || fail "GNU sort took part in '$(rows 'GNU sort')'"
expect_text curve.svg "log: seconds over threads"
expect_text curve.json '"processor_seconds": '
expect 0 "${bench%/*}/scaling" "${scaling[@]}" --threads=2 --cases=log --no-peers
[ -z "$(rows 'GNU sort')" ] || fail "GNU sort took part with --no-peers"
expect 2 "${bench%/*}/scaling" "${scaling[@]}" --threads=1,many
expect_text stderr "--repeats and --threads take numbers of at least 1"
expect 2 "${bench%/*}/scaling" "${scaling[@]}" --threads=²
expect_text stderr "--repeats and --threads take numbers of at least 1"
expect 0 "${bench%/*}/scaling" "${scaling[@]}" --threads=2,1 --cases=u64-spilled --no-peers
[ "$(grep -F '| sortie, cpu |' stdout | cut -d '|' -f 4,7 | head -n 1 | xargs)" = "1 | 1.00" ] || fail "$(cat stdout)"
[[ $(cat "$scratch/stderr") == "u64-spilled, 1 thread"* ]] || fail "$(cat "$scratch/stderr")"
! grep -F ' 0.00 ' stdout || fail "a time is no figure"
expect_text curve.svg ">1 MB, "

# What cannot be written is found out before anything is sorted.
for file in --json=missing/file --plot=missing/file; do
  expect 2 "${bench%/*}/scaling" "${scaling[@]}" --threads=1 --cases=u64-spilled --no-peers "$file"
  expect_stderr "scaling: [Errno 2] No such file or directory: 'missing/file'"
done
expect 2 "$bench" "${common[@]}" --size=100K --cases=u64 --json=missing/file
expect_stderr "end_to_end: [Errno 2] No such file or directory: 'missing/file'"

# A peer that is not there is named where it would take part.
if ! command -v duckdb >/dev/null; then
  without_duckdb="DuckDB takes no part: it is neither a module of the Python given by --python nor a command"
  alone=(--build="$build" --directory=files --size=100K --repeats=1 --threads=1 --python=false)
  for name in scaling end_to_end; do
    expect 0 "${bench%/*}/$name" "${alone[@]}" --cases=lines
    expect_text stderr "$name: $without_duckdb"
    expect 0 "${bench%/*}/$name" "${alone[@]}" --cases=u64
    ! grep -F DuckDB stderr || fail "$name misses a peer that would take no part"
  done
fi
expect 2 "${bench%/*}/scaling" "${scaling[@]}" --cases=lines,binary-device-limit
expect_text stderr "scaling: case 'binary-device-limit' needs a GPU"
expect 2 "${bench%/*}/scaling" "${scaling[@]}" --cases=nothing
expect_text stderr "scaling: unknown case 'nothing'"
expect_nothing_left
finish
