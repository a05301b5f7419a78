// An input that is sorted already, used as a run where it lies: nothing is copied, and nothing of it is
// ever changed or released. Its blocks are read a second time, and have checksums: somebody may have changed them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include <sortie/error.hpp>
#include <sortie/quote.hpp>

#include "io/file.hpp"
#include "run/run.hpp"

namespace sortie {

class BorrowedStorage final : public RunStorage {
 public:
  /// The run is written as if to memory (raw blocks, no header), in the very order of the file.
  explicit BorrowedStorage(std::unique_ptr<File> file) : file_(std::move(file)) {}

  std::uint64_t reserve(std::uint64_t bytes) override { return std::exchange(end_, end_ + bytes); }
  void write(std::uint64_t, std::span<const std::byte>) override {}
  void read(std::uint64_t offset, std::span<std::byte> target) const override {
    if (file_->read_at(offset, target) != target.size()) {
      throw Error("input '" + escape_unprintable(file_->path()) +
                  "' became shorter while it was merged; leave inputs alone during a sort");
    }
  }
  void release(std::uint64_t, std::uint64_t) noexcept override {}
  bool in_memory() const override { return true; }
  bool is_exposed() const override { return true; }
  std::string name() const override { return quote_word(file_->path()); }
  std::string remedy() const override { return "leave inputs alone during a sort"; }

 private:
  std::unique_ptr<File> file_;
  std::uint64_t end_ = 0;
};

}  // namespace sortie
