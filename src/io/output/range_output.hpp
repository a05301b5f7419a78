// A range of a file that is there: several processes write one output, each its own range. Nothing outside of the range
// is touched, and nothing is renamed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "io/files/file.hpp"
#include "io/output/output.hpp"

namespace sortie {

class RangeOutput final : public Output {
 public:
  /// Throws Error if there is no such file, if it may not be written, or if the range would lie beyond it.
  RangeOutput(FileSystem& files, const std::string& path, std::uint64_t begin) : next_(begin) {
    if (files.status(path).kind != FileStatus::Kind::kRegular) {
      throw Error("cannot write a range of " + quote_path(path) +
                  ": there is no such file; make one of the full length");
    }
    file_ = files.open_target(path);
    if (begin > file_->size()) {
      throw Error("cannot write a range of " + quote_path(path) + ": it has no byte " + std::to_string(begin) +
                  "; make it as long as the whole output");
    }
  }

  void write(std::span<const std::byte> bytes) override {
    file_->write_at(next_, bytes);
    next_ += bytes.size();
  }
  void expect(std::uint64_t) override {}
  void write_around_cache() override { file_->write_around_cache(); }
  void finish() override { file_->sync(); }

 private:
  std::unique_ptr<File> file_;
  std::uint64_t next_;
};

}  // namespace sortie
