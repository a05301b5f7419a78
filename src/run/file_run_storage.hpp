// Runs kept in a file, usually an unnamed one in scratch space. Made by run formation when memory is
// used up, and by open_run_file() for a run file that exists.
#pragma once

#include <memory>
#include <utility>

#include "io/file.hpp"
#include "run/run.hpp"

namespace sortie {

class FileRunStorage final : public RunStorage {
 public:
  /// `used_bytes`: what the file holds already.
  explicit FileRunStorage(std::unique_ptr<File> file, std::uint64_t used_bytes = 0)
      : file_(std::move(file)), used_bytes_(used_bytes) {}

  std::uint64_t reserve(std::uint64_t bytes) override;
  void write(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void read(std::uint64_t offset, std::span<std::byte> target) const override;
  void release(std::uint64_t offset, std::uint64_t bytes) noexcept override;
  bool in_memory() const override { return false; }
  std::string name() const override;

 private:
  std::unique_ptr<File> file_;
  std::uint64_t used_bytes_;
};

}  // namespace sortie
