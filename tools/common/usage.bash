# Source it first. With --help, or without an argument, the script that does so shows the comment at its head, and ends.
if [[ ${1:---help} == --help || $1 == -h ]]; then
  awk 'NR > 1 && !/^#/ {exit} NR > 1 {sub(/^# ?/, ""); print}' "$0"
  exit $(($# ? 0 : 2))
fi
