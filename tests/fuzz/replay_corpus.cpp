// Feeds the files of its corpus to a fuzz target, in builds without libFuzzer: replay_corpus FILE|FOLDER...
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "fuzz/fuzz_target.hpp"
#include "support/temporary_directory.hpp"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(path)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

void replay(const fs::path& path) {
  const std::string contents = sortie::test::read_whole_file(path.string());
  // A copy without a spare byte, so that a sanitizer sees reads beyond its end.
  const std::vector<std::uint8_t> bytes(contents.begin(), contents.end());
  std::fprintf(stderr, "%s\n", path.c_str());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    int count = 0;
    for (int i = 1; i < argc; ++i) {
      for (const fs::path& file : files_in(argv[i])) {
        replay(file);
        ++count;
      }
    }
    std::printf("%d inputs, all promises kept\n", count);
    return count == 0 ? 2 : 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "replay_corpus: %s\n", error.what());
    return 2;
  }
}
