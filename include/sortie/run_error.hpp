// What is wrong with files and folders of runs, for programs that can make them again. Thrown by commands that form,
// cut and merge shards (shard.hpp), and by sorts that go on from a checkpoint.
#pragma once

#include <string>
#include <utility>

#include <sortie/error.hpp>

namespace sortie {

/// A file of runs, or one that says where runs are cut, is not what was written.
class DamagedFile : public Error {
 public:
  /// `path`: as it is, without the quotes of messages; empty for runs in memory.
  DamagedFile(std::string path, const std::string& message, Remedy remedy = Remedy::kOther)
      : Error(message, remedy), path_(std::move(path)) {}

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The folder for the runs of a shard holds those of another one, or of an input that has changed.
class AnotherShard : public Error {
 public:
  using Error::Error;
};

}  // namespace sortie
