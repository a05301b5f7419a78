// What lies at a path before it is opened, and what this process may do with it. Used by the POSIX file system only.
#pragma once

#include <string>
#include <vector>

#include "io/files/file.hpp"

namespace sortie {

/// The descriptors that are open when the sort begins. A number in a path must not reach files that the sort itself has
/// opened since, nor what only fills the place of a closed standard descriptor.
class GivenDescriptors {
 public:
  GivenDescriptors();
  bool has(int descriptor) const;

 private:
  std::vector<int> numbers_;
};

/// What FileSystem::status() returns. Throws Error.
FileStatus status_of(const std::string& path, const GivenDescriptors& given);
/// The same with the rights that this process has to the file: what FileSystem::target_status() returns.
FileStatus target_status_of(const std::string& path, const GivenDescriptors& given);

}  // namespace sortie
