// Standard output, pipes, terminals and devices: written in place, as the bytes come. Made by
// open_output() only.
#pragma once

#include <memory>
#include <utility>

#include "io/output.hpp"

namespace sortie {

class StreamOutput final : public Output {
 public:
  explicit StreamOutput(std::unique_ptr<File> file) : file_(std::move(file)) {}

  void write(std::span<const std::byte> bytes) override { file_->write(bytes); }
  bool waits_for_reader() const override { return !file_->seekable(); }
  void expect(std::uint64_t) override {}
  /// A redirected standard output belongs to the shell: whether it is synced is not ours to say.
  void finish() override {
    if (file_->path() != "-") file_->sync();
  }

 private:
  std::unique_ptr<File> file_;
};

}  // namespace sortie
