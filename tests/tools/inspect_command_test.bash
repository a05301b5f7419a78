#!/usr/bin/env bash
# Tests sortie-inspect from outside, on the golden run files.
# Usage: inspect_command_test.bash SORTIE_INSPECT GOLDEN_FOLDER
set -euo pipefail
inspect=$1
golden=$2
# shellcheck source=tests/tools/expect.bash
source "$(dirname "$0")/expect.bash"
cd "$scratch"

header_bytes=64  # block 0 begins here

count=0
for run in "$golden"/*.run; do
  [ -e "$run" ] || continue
  count=$((count + 1))
  expect 0 "$inspect" "$run"
  expect_text stdout "Format version: 2"
  expect_text stdout "first key"
  expect 0 "$inspect" --verify --totals "$run"
  expect_text stdout "Verified: all blocks decode"
  if grep -q "first key" stdout; then fail "--totals shows the blocks"; fi

  cp "$run" damaged
  chmod u+w damaged
  printf '\377' | dd of=damaged bs=1 seek=$header_bytes conv=notrunc status=none
  expect 0 "$inspect" damaged
  expect 1 "$inspect" --verify damaged
  expect_text stderr "block 0"

  for option in --verify --totals; do
    to_full_device() { "$inspect" "$option" "$run" >/dev/full; }
    expect 2 to_full_device
    expect_stderr "sortie-inspect: write failed: 'standard output': No space left on device; free some space or name another file"
  done
  cp "$run" appended
  # shellcheck disable=SC2094
  append_report() { "$inspect" appended >>appended; }
  expect 2 append_report
  expect_stderr "sortie-inspect: the report cannot be written to /dev/stdout, which is also the run file: name another file"
  expect_same "$run" appended

  head -c -1 "$run" >shortened
  expect 2 "$inspect" shortened
done
[ "$count" -gt 0 ] || fail "there are no run files in $golden"

head -c 1000 /dev/zero >other
expect 2 "$inspect" other
expect_text stderr "other"
expect 2 "$inspect" missing
expect 2 "$inspect"
expect_stderr "sortie-inspect: operand RUNFILE is missing; try 'sortie-inspect --help'"
expect 2 "$inspect" $'mis\033[2J\nsing'
expect_stderr "sortie-inspect: cannot read: 'mis'$'\033''[2J'$'\n''sing': No such file or directory"
for option in --help --version; do
  to_full_device() { "$inspect" "$option" >/dev/full; }
  expect 2 to_full_device
done
expect 0 "$inspect" --help
expect_text stdout "Usage: sortie-inspect [OPTION]... RUNFILE"
finish
