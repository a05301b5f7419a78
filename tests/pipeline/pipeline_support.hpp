// Shared parts of the tests of the pipeline: error messages, files with contents, an observer that stays silent.
#pragma once

#include <gtest/gtest.h>
#include <sortie/error.hpp>

#include <string>
#include <vector>

#include "observe/observer.hpp"
#include "support/error_of.hpp"
#include "support/record_data.hpp"
#include "support/temporary_directory.hpp"

namespace sortie::test {

/// What was done with a resource; nothing if it is not there.
inline ResourceReport use_of(const std::string& name, const std::vector<ResourceReport>& resources) {
  for (const ResourceReport& resource : resources) {
    if (resource.name == name) return resource;
  }
  return {};
}

struct SilentObserver : Observer {
  SilentObserver() : Observer(ProgressMode::kNever) {}
};

/// Writes each of `contents` to a file of its own and returns their paths.
inline std::vector<std::string> write_inputs(const TemporaryDirectory& directory,
                                             const std::vector<std::string>& contents) {
  std::vector<std::string> paths;
  for (const std::string& bytes : contents) {
    paths.push_back(directory / ("input" + std::to_string(paths.size())));
    write_whole_file(paths.back(), bytes);
  }
  return paths;
}

/// The bytes of all inputs together, with last lines completed. A sort sorts these.
inline std::string completed(const Format& format, const std::vector<std::string>& contents) {
  std::string all;
  for (const std::string& bytes : contents) {
    all += bytes;
    if (format.kind == RecordKind::kLines && !bytes.empty() && bytes.back() != format.delimiter)
      all += format.delimiter;
  }
  return all;
}

}  // namespace sortie::test
