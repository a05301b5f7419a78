// A program that holds another version of Sortie: functions of the same names, here ones that end it. The shared
// library must call its own, whatever the program has.
#include <sortie/sort.hpp>

#include <cstdio>
#include <cstdlib>

namespace sortie {

// One of the library's own, and one that it offers.
unsigned thread_count(const SortOptions&) { std::abort(); }
void validate(const Format&) { std::abort(); }

}  // namespace sortie

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  sortie::SortOptions options;
  options.inputs = {argv[1]};
  options.output = argv[2];
  options.threads = 1;
  const sortie::SortReport report = sortie::sort(options);
  std::printf("%llu records\n", static_cast<unsigned long long>(report.output_records));
}
