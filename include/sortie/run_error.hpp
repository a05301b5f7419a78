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
  /// `file`: as messages show it.
  DamagedFile(std::string file, const std::string& message, Remedy remedy = Remedy::kOther)
      : Error(message, remedy), file_(std::move(file)) {}

  const std::string& file() const { return file_; }

 private:
  std::string file_;
};

/// The folder for the runs of a shard holds those of another one, or of an input that has changed.
class AnotherShard : public Error {
 public:
  using Error::Error;
};

}  // namespace sortie
