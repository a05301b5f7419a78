// A program with another version of Sortie in it: functions of the same names, which here end the program. The shared
// library must call its own functions, whatever the program contains.
#include <sortie/sort.hpp>

#include <cstdio>
#include <cstdlib>

namespace sortie {

// One function internal to the library, and one of its public interface.
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
