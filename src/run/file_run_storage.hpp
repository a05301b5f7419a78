// Runs kept in a file, usually an unnamed one in scratch space. Made by run formation when memory is
// used up, and by open_run_file() for a run file that exists.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "io/file.hpp"
#include "io/mapped_view.hpp"
#include "run/run.hpp"

namespace sortie {

class FileRunStorage : public RunStorage {
 public:
  /// `used_bytes`: what the file holds already.
  explicit FileRunStorage(std::unique_ptr<File> file, std::uint64_t used_bytes = 0)
      : file_(std::move(file)), used_bytes_(used_bytes) {}

  std::uint64_t reserve(std::uint64_t bytes) override;
  void write(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void read(std::uint64_t offset, std::span<std::byte> target) const override;
  /// Of a file that lies in memory. Precondition: the run is finished.
  std::span<const std::byte> view(std::uint64_t offset, std::uint64_t bytes) const override;
  bool view_is_intact() const override { return view_.is_intact(); }
  void release(std::uint64_t offset, std::uint64_t bytes) noexcept override;
  bool in_memory() const override { return false; }
  void sync() override { file_->sync(); }
  std::string name() const override;

 protected:
  File& file() { return *file_; }

 private:
  std::unique_ptr<File> file_;
  std::uint64_t used_bytes_;
  mutable std::once_flag view_once_;
  mutable MappedView view_;  // of all that is used, once it was asked for
};

}  // namespace sortie
