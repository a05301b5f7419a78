// Sorts the lines of a file into another one: sort_file INPUT OUTPUT
#include <cstdio>

#include <sortie/sort.hpp>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: sort_file INPUT OUTPUT\n");
    return 2;
  }
  sortie::SortOptions options;
  options.format = sortie::parse_format("lines");
  options.inputs = {argv[1]};
  options.output = argv[2];
  try {
    const sortie::SortReport report = sortie::sort(options);
    std::fprintf(stderr, "%s", to_text(report).c_str());
    return 0;
  } catch (const sortie::Error& error) {
    std::fprintf(stderr, "sort_file: %s\n", error.what());
    return 2;
  }
}
