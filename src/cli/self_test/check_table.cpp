#include "cli/self_test/check_table.hpp"

#include <cstdint>

namespace sortie::cli {

std::span<const SortCheck> sort_checks() {
  static const std::vector<SortCheck> checks = {
      {"lines", {}, plain_lines},
      {"lines, falling", {"-r"}, falling_lines},
      {"lines ended by NUL", {"-z"}, lines_ended_by_zero},
      {"lines with a header", {"--header"}, lines_with_header},
      {"lines in the order of the locale", {}, collated_lines, true, true},
      {"numbers", {"-n"}, numbers},
      {"numbers as programs write them", {"-g"}, general_numbers},
      {"numbers with units", {"-h"}, human_numbers},
      {"months", {"-M"}, months},
      {"versions", {"-V"}, versions},
      {"letters without their case", {"-f"}, folded},
      {"letters and digits alone", {"-d"}, dictionary},
      {"printable characters alone", {"-i"}, printable},
      {"a key behind blanks", {"-b", "-k2"}, blanks},
      {"two keys", {"-t,", "-k3,3nr", "-k1,1"}, two_keys},
      {"equal keys in their order", {"-s", "-t,", "-k2,2"}, stable_keys},
      {"the first of equal keys", {"-u", "-t,", "-k2,2"}, first_of_equal},
      {"the last of equal keys", {"-u", "--keep=last", "-t,", "-k2,2"}, last_of_equal},
      {"the first of equal keys, where it stood", {"-u", "--order=input", "-t,", "-k2,2"}, first_in_place},
      {"groups with sums", {"--group", "-t,", "-k2,2", "--sum=3", "--count"}, summed},
      {"equal keys counted", {"--count", "-t,", "-k2,2"}, counted},
      {"the first 100 lines", {"--top=100"}, first_lines, false},
      {"what has equal keys", {"--repeated", "-t,", "-k2,2"}, repeated},
      {"what has a key of its own", {"--only-once", "-t,", "-k2,2"}, only_once},
      {"lines in an order by their hashes", {"-R"}, shuffled, true, false, fault_of_shuffle},
      {"lines shuffled", {"--shuffle=1"}, permuted, true, false, fault_of_permutation},
      {"times in their zones", {"-s", "-k1:time"}, times},
      {"JSON Lines by two values", {"--jsonl", "-s", "--key=.user.id:n:desc", "--key=.name"}, json_lines},
      {"entries of several lines", {"--entry-start=^[0-9]", "-k1,1n"}, entries},
      {"places in a genome", {"--bed", "--chromosomes=karyotype"}, genome_positions},
      {"fields between separators", {"-s", "-t-|-", "-k2,2"}, fields_between_words},
      {"CSV by two columns", {"--csv", "--key=price:n:desc", "--key=name"}, csv_rows},
      {"records of 24 bytes by two fields",
       {"--format=fixed:24", "--field=u32be@4:desc", "--field=f64@16"},
       two_fields},
      {"records of gensort", {"--format=gensort"}, gensort_records},
      {"length-prefixed records", {"--format=prefixed"}, prefixed_records},
      {"u32", {"--format=u32"}, integers<std::uint32_t>},
      {"i32", {"--format=i32"}, integers<std::int32_t>},
      {"u64", {"--format=u64"}, integers<std::uint64_t>},
      {"i64", {"--format=i64"}, integers<std::int64_t>},
      {"f32", {"--format=f32"}, floats<std::uint32_t>},
      {"f64", {"--format=f64"}, floats<std::uint64_t>},
  };
  return checks;
}

const SortCheck& large_check() {
  static const SortCheck check = {"32 MiB of u64", {"--format=u64"}, many_integers};
  return check;
}

}  // namespace sortie::cli
