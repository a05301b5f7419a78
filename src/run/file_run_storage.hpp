// A run in a file, usually an unnamed one in scratch space that other runs may share. Made by run formation when memory
// is used up, and by open_run_file() for a run file that exists.
#pragma once

#include <memory>
#include <utility>

#include "io/file.hpp"
#include "run/run.hpp"
#include "run/scratch_file.hpp"

namespace sortie {

class FileRunStorage final : public RunStorage {
 public:
  /// A new run in `file`.
  explicit FileRunStorage(std::shared_ptr<ScratchFile> file) : file_(std::move(file)) {}
  /// A run in a file of its own. `used_bytes`: what the file holds already.
  explicit FileRunStorage(std::unique_ptr<File> file, std::uint64_t used_bytes = 0)
      : file_(std::make_shared<ScratchFile>(std::move(file), used_bytes)), end_(used_bytes) {}

  std::uint64_t reserve(std::uint64_t bytes) override;
  void write(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void read(std::uint64_t offset, std::span<std::byte> target) const override;
  /// Only a file that lies in memory gives a view. Precondition: the run is finished.
  std::span<const std::byte> view(std::uint64_t offset, std::uint64_t bytes) const override;
  bool view_is_intact() const override { return file_->view_is_intact(); }
  void release(std::uint64_t offset, std::uint64_t bytes) noexcept override;
  bool in_memory() const override { return false; }
  void settle() override { file().sync(); }
  std::string name() const override;

 private:
  File& file() const { return file_->file(); }

  std::shared_ptr<ScratchFile> file_;
  std::uint64_t end_ = 0;  // offset behind the run's last byte
};

}  // namespace sortie
