// Outputs that are written in place, as the bytes come: standard output, pipes, terminals and devices, made by
// open_output(); and reports beside the output, made by the pipeline.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include <sortie/system_file_error.hpp>

#include "io/files/file.hpp"
#include "io/files/sigpipe_block.hpp"
#include "io/output/passing_output.hpp"

namespace sortie {

class StreamOutput final : public Output {
 public:
  explicit StreamOutput(std::unique_ptr<File> file) : file_(std::move(file)) {}

  /// The stream is a regular file: what the output does not reach of its contents is cut off.
  void cut_off_the_rest() { old_bytes_ = file_->size(); }

  void write(std::span<const std::byte> bytes) override {
    written_bytes_ += bytes.size();
    try {
      file_->write(bytes);
    } catch (const SystemFileError& error) {
      if (written_bytes_ > kBlockBytes) throw;
      throw SystemFileError(FileError::Kind::kWriteSmallOutput, error);
    }
  }
  bool waits_for_reader() const override { return !file_->seekable(); }
  void expect(std::uint64_t) override {}
  void write_around_cache() override {}
  /// A redirected standard output belongs to the shell: whether it is synced is not ours to say. If it has another
  /// length, somebody else has written to it, too.
  void finish() override {
    if (old_bytes_ > written_bytes_ && file_->size() == old_bytes_) file_->truncate(written_bytes_);
    if (file_->path() != "-") file_->sync();
  }

 private:
  static constexpr std::uint64_t kBlockBytes = 4096;

  std::unique_ptr<File> file_;
  std::uint64_t written_bytes_ = 0;  // failed writes included
  std::uint64_t old_bytes_ = 0;      // behind where the file stood, if they are to be cut off
};

/// An output beside that of the sort: a trace, statistics. If its reader goes away the sort goes on: a failed write is
/// an error, reported when the sort is done, and not the signal SIGPIPE.
class ReportOutput final : public PassingOutput {
 public:
  explicit ReportOutput(std::unique_ptr<Output> output) : PassingOutput(std::move(output)) {}

  void write(std::span<const std::byte> bytes) override {
    const SigpipeBlock block;
    target().write(bytes);
  }
};

}  // namespace sortie
