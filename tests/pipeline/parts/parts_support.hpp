// What tests of outputs in parts have in common.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/pipeline_support.hpp"

namespace sortie::test {

/// The contents of all files whose names begin with "part-", in the order of their names. Removes them.
inline std::vector<std::string> take_parts(const TemporaryDirectory& directory) {
  std::vector<std::string> parts;
  for (const std::string& name : directory.names()) {
    if (!name.starts_with("part-")) continue;
    parts.push_back(read_whole_file(directory / name));
    std::filesystem::remove(directory / name);
  }
  return parts;
}

}  // namespace sortie::test
