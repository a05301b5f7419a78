// Sorts numbers in memory, largest first: sort_numbers NUMBER...
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <sortie/sort_array.hpp>

int main(int argc, char** argv) {
  std::vector<double> numbers;
  for (int i = 1; i < argc; ++i) numbers.push_back(std::strtod(argv[i], nullptr));
  try {
    sortie::ArraySorter sorter({.descending = true});
    sorter.sort<double>(numbers, numbers);
  } catch (const sortie::Error& error) {
    std::fprintf(stderr, "sort_numbers: %s\n", error.what());
    return 2;
  }
  for (const double number : numbers) std::printf("%g\n", number);
  return 0;
}
