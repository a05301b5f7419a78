# Assertions for the command tests: sourced, not run. Each failure is printed; finish reports the count.
failures=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}

# expect STATUS COMMAND...: runs the command and keeps its output in $scratch/stdout and $scratch/stderr.
expect() {
  local wanted=$1 status=0
  shift
  "$@" >"$scratch/stdout" 2>"$scratch/stderr" || status=$?
  if [ "$status" -ne "$wanted" ]; then
    fail "'$*' exited with $status instead of $wanted:"
    cat "$scratch/stderr" >&2
  fi
}

# expect_stderr TEXT: the last command must have written exactly TEXT to standard error.
expect_stderr() {
  if [ "$(cat "$scratch/stderr")" != "$1" ]; then
    fail "standard error is"
    cat "$scratch/stderr" >&2
    printf 'instead of\n%s\n' "$1" >&2
  fi
}

# expect_text FILE TEXT: the file must contain the text.
expect_text() {
  grep -qF -- "$2" "$1" || { fail "no '$2' in $1:"; cat "$1" >&2; }
}

expect_same() {
  cmp "$1" "$2" || fail "$1 and $2 differ"
}

finish() {
  [ "$failures" -eq 0 ] || { echo "$failures failed" >&2; exit 1; }
  echo "all as expected"
}
