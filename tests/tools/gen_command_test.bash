#!/usr/bin/env bash
# Tests sortie-gen from outside: gensort's arguments, files and pipes, refusals. Usage: gen_command_test.bash
# SORTIE_GEN
set -euo pipefail
gen=$1
# shellcheck source=tests/tools/expect.bash
source "$(dirname "$0")/expect.bash"
cd "$scratch"

expect 0 "$gen" -c 1000 binary
expect_stderr 1ea6370b955
[ "$(stat -c %s binary)" = 100000 ] || fail "1000 records are not 100000 bytes"

expect 0 "$gen" -a -c 1000 ascii
expect_stderr 1f5dfb3631a

expect 0 "$gen" -b400 600 tail
expect_same <(tail -c 60000 binary) tail
expect 0 "$gen" -b 400 600 tail
expect_same <(tail -c 60000 binary) tail

"$gen" -t3 1000 - >piped
expect_same binary piped
expect 0 "$gen" -t1 1000 one_thread
expect_same binary one_thread

expect 0 "$gen" 0 empty
if [ ! -e empty ] || [ -s empty ]; then fail "no records make no empty file"; fi

expect 0 "$gen" --kind=u32 1000 numbers
[ "$(stat -c %s numbers)" = 4000 ] || fail "1000 u32 are not 4000 bytes"
expect 0 "$gen" --kind=log --distribution=sorted 1000 log
LC_ALL=C sort -c log || fail "sorted log lines are out of order"
pattern='^[0-9.]{7,15} - - \[[0-9]{2}/[A-Z][a-z]{2}/[0-9]{4}(:[0-9]{2}){3} \+0000\] "GET /[a-z0-9/]+ HTTP/1.1" [0-9]{3} [0-9]+ "[^"]+"$'
[ "$(grep -cE "$pattern" log)" = 1000 ] || fail "log lines do not look like log lines"
expect 0 "$gen" --kind=lines --distribution=reversed 1000 lines
LC_ALL=C sort -rc lines || fail "reversed lines are out of order"
expect 0 "$gen" --kind=letters 1000 letters
if [ "$(stat -c %s letters)" != 8000 ] || grep -qvxE '[a-z]{7}' letters; then fail "letters are not seven a line"; fi
expect 0 "$gen" --kind=letters --line-bytes=2048 10 letters
[ "$(grep -cxE '[a-z]{2047}' letters)" = 10 ] || fail "long lines of letters are not as long as asked for"
expect 2 "$gen" --kind=letters --line-bytes=0:5 10 letters
expect_stderr "sortie-gen: --line-bytes must be at least 1: a line has an end"
expect 0 "$gen" --seed=5 1000 other
cmp -s binary other && fail "another seed makes the same data"

# Bounds of lengths, one or two of them.
expect 0 "$gen" --kind=prefixed --key-bytes=10 --payload-bytes=100 1000 prefixed
[ "$(stat -c %s prefixed)" = 118000 ] || fail "1000 length-prefixed records are not 118000 bytes"
[ "$(head -c 8 prefixed | od -An -tu4 | tr -s ' ')" = " 10 100" ] || fail "the first header is not as asked for"
expect 0 "$gen" --kind=prefixed --key-bytes=0:3 --payload-bytes=0:5 --threads=1 9000 one_thread
expect 0 "$gen" --kind=prefixed --key-bytes=0:3 --payload-bytes=0:5 --threads=3 9000 prefixed
expect_same one_thread prefixed
expect 2 "$gen" --kind=prefixed --key-bytes=4:3 1 file
expect_stderr "sortie-gen: --key-bytes '4:3': give the least and the greatest length, below 2^32, for example 8:16"

expect 2 "$gen"
expect_stderr "sortie-gen: operand RECORDS is missing; try 'sortie-gen --help'"
expect 2 "$gen" 10
expect_stderr "sortie-gen: operand FILE is missing; try 'sortie-gen --help'"
expect 2 "$gen" ten file
expect_stderr "sortie-gen: RECORDS 'ten' is not a decimal number below 2^64"
expect 2 "$gen" -bx 1 file
expect_stderr "sortie-gen: first record 'x' is not a decimal number below 2^128"
expect 2 "$gen" --kind=u16 1 file
expect_stderr "sortie-gen: unknown kind 'u16'; known: gensort, lines, letters, log, prefixed, u32, i32, u64, i64, f32, f64"
expect 2 "$gen" -a --kind=u32 1 file
expect 2 "$gen" --frobnicate 1 file
expect_stderr "sortie-gen: unrecognised option '--frobnicate'; try 'sortie-gen --help'"
expect 2 "$gen" 18446744073709551615 file
expect 2 "$gen" 1 missing_directory/file
expect_text stderr "missing_directory"
[ ! -e file ] || fail "a refused command left a file"

# Failed writes end in one line, which names no option that does not exist.
write_little() { (ulimit -f 64 && exec "$gen" "$@"); }
expect 2 write_little 100000 file
expect_stderr "sortie-gen: cannot reserve space for file: File too large; raise the limit on file sizes with ulimit -f"
expect 2 write_little --kind=lines 100000 file
expect_stderr "sortie-gen: write failed: file: File too large; raise the limit on file sizes with ulimit -f"
[ ! -e file ] || fail "a write that failed left a file"
expect 2 "$gen" 10 /dev/full
expect_stderr "sortie-gen: write failed: /dev/full: No space left on device; free some space or name another file"
for option in --help --version; do
  to_full_device() { "$gen" "$option" >/dev/full; }
  expect 2 to_full_device
  expect_stderr "sortie-gen: write failed: 'standard output': No space left on device; free some space or name another file"
done
sum_to_full_device() { "$gen" -c 10 summed 2>/dev/full; }
expect 2 sum_to_full_device
# A missing standard stream is not taken for the file.
"$gen" --checksum 1000 whole 2>/dev/null
for closed in '2>&-' '1>&- 2>&-' '0<&- 1>&- 2>&-'; do
  bash -c "'$gen' --checksum 1000 closed $closed"
  expect_same whole closed
done

expect 0 "$gen" --help
expect_text stdout "Usage: sortie-gen [OPTION]... RECORDS FILE"
expect 0 "$gen" --version
expect_text stdout "sortie-gen "
finish
