#!/usr/bin/env bash
# Tests sortie-check from outside: valsort's reports, summaries, refusals.
# Usage: check_command_test.bash SORTIE_CHECK SORTIE_GEN
set -euo pipefail
check=$1
gen=$2
# shellcheck source=tests/tools/expect.bash
source "$(dirname "$0")/expect.bash"
cd "$scratch"

"$gen" -a 1000 unsorted
LC_ALL=C sort unsorted >sorted

expect 0 "$check" sorted
expect_stderr "Records: 1000
Checksum: 1f5dfb3631a
Duplicate keys: 0
SUCCESS - all records are in order"

expect 1 "$check" unsorted
expect_text stderr "First unordered record is record "
expect_text stderr "Checksum: 1f5dfb3631a"
expect_text stderr "ERROR - there are "

# Record 3 is the first that is less than the one before.
{ head -c 300 sorted; head -c 100 sorted; tail -c +301 sorted; } >one_wrong
expect 1 "$check" one_wrong
expect_text stderr "First unordered record is record 3"
expect_text stderr "ERROR - there are 1 unordered records"

cat sorted sorted | LC_ALL=C sort >doubled
expect 0 "$check" doubled
expect_text stderr "Duplicate keys: 1000"

expect 0 "$check" - <sorted
expect_text stderr "Records: 1000"
gzip -k sorted
expect 0 "$check" sorted.gz
expect_text stderr "Checksum: 1f5dfb3631a"

# A redirected standard input is read from its current position, and left at its end.
(dd bs=100 count=400 status=none >/dev/null; expect 0 "$check" -; cat >rest) <sorted
expect_text stderr "Records: 600"
[ ! -s rest ] || fail "standard input was not left at its end"

# Garbage after a packed file is no error.
cat sorted.gz sorted >tailed.gz
expect 0 "$check" tailed.gz
expect_text stderr "decompression OK, trailing garbage ignored"

# Length-prefixed records: those of bytes c, b, b without payload, and their summary.
record() { printf '\1\0\0\0\0\0\0\0%s' "$1"; }
{ record c; record b; record b; } >prefixed
{ record b; record b; record c; } >prefixed_sorted
expect 1 "$check" --format=prefixed prefixed
expect_text stderr "First unordered record is record 1"
expect 0 "$check" --format=prefixed -i prefixed prefixed_sorted
expect_text stderr "Duplicate keys: 1"
expect 0 "$check" --format=prefixed -o prefixed_summary prefixed
expect 0 "$check" --format=prefixed --compare=prefixed_summary prefixed_sorted
expect 2 "$check" --format=fixed:9 --compare=prefixed_summary prefixed_sorted
expect_text stderr "length-prefixed records"
head -c 20 prefixed >prefixed_cut
expect 2 "$check" --format=prefixed prefixed_cut
expect_stderr "sortie-check: prefixed_cut ends within the record at offset 18; is --format right?"
expect 0 "$gen" --kind=prefixed --distribution=sorted 5000 prefixed_sorted
expect 0 "$check" --format=prefixed prefixed_sorted
expect 1 "$check" --format=prefixed -r prefixed_sorted

# Summaries and inputs.
expect 0 "$check" -o summary unsorted
expect 0 "$check" --compare=summary sorted
expect_text stderr "SUCCESS - the records are those of the input"
expect 1 "$check" --compare=summary doubled
expect_text stderr "ERROR - there are 2000 records, the input has 1000"
expect 0 "$check" --input=unsorted sorted
expect 0 "$check" -i unsorted -i unsorted doubled
expect 1 "$check" -i unsorted doubled
sed '1s/AAAA/BBBB/;1s/0000/1111/' sorted >changed
expect 1 "$check" -i unsorted changed
expect_text stderr "ERROR - the records are not those of the input"
expect 2 "$check" --compare=sorted sorted
expect 2 "$check" --compare=summary --format=lines sorted
expect 2 "$check" --compare=summary -o other sorted

# The summary does not replace the file that is checked.
cp sorted kept
ln kept hard
for name in kept ./kept hard "$PWD/kept"; do
  expect 2 "$check" -o "$name" kept
  expect_stderr "sortie-check: the summary cannot be written to $name, which is also the file that is checked: name another file"
  expect_same sorted kept
done
# Both redirections name the same file on purpose.
# shellcheck disable=SC2094
expect 2 "$check" -o kept - <kept
# shellcheck disable=SC2094
append_summary() { "$check" -o - kept >>kept; }
expect 2 append_summary
expect_same sorted kept

# Failed writes.
for option in --help --version; do
  to_full_device() { "$check" "$option" >/dev/full; }
  expect 2 to_full_device
  expect_stderr "sortie-check: write failed: 'standard output': No space left on device; free some space or name another file"
done
report_to_full_device() { "$check" sorted 2>/dev/full; }
expect 2 report_to_full_device
report_to_nobody() { "$check" sorted 2>&-; }
expect 0 report_to_nobody
expect 2 "$check" -o /dev/full sorted

# Formats.
printf 'a\nb\nb\n' >lines
expect 0 "$check" --format=lines lines
expect_text stderr "Duplicate keys: 1"
expect 1 "$check" --format=lines -r lines
printf 'a\n\0b\0' >zero
expect 0 "$check" --format=lines -z zero
expect_text stderr "Records: 2"
for kind in u32 i32 u64 i64 f32 f64; do
  "$gen" --kind="$kind" --distribution=sorted 1000 numbers
  expect 0 "$check" --format="$kind" numbers
  "$gen" --kind="$kind" --distribution=reversed 1000 numbers
  expect 0 "$check" --format="$kind" --reverse numbers
  expect 1 "$check" --format="$kind" numbers
done
expect 0 "$check" --format=fixed:100 --field=bytes@0:10 sorted
expect 1 "$check" --format=fixed:100 --field=bytes@0:10:desc sorted
expect 1 "$check" --format=fixed:100 --field=bytes@46:52 sorted

# Trouble.
expect 2 "$check"
expect_stderr "sortie-check: operand FILE is missing; try 'sortie-check --help'"
expect 2 "$check" missing
expect_text stderr "missing"
expect 2 "$check" --format=fixed:99 sorted
expect_text stderr "stray bytes at offset 99990"
expect 2 "$check" --format=decimal sorted
expect_text stderr "decimal"
expect 2 "$check" --format=fixed:100 --field=bytes@95:10 sorted
expect 2 "$check" -z sorted
expect 2 "$check" --threads=many sorted
expect 2 "$check" $'mis\033[2J\nsing'
expect_stderr "sortie-check: cannot read: 'mis'$'\033''[2J'$'\n''sing': No such file or directory"
expect 2 "$check" $'--no\033[2J\n' sorted
expect_stderr "sortie-check: unrecognised option '--no\033[2J\n'; try 'sortie-check --help'"
expect 0 "$check" --help
expect_text stdout "Usage: sortie-check [OPTION]... FILE"
finish
