// A run in a file with a name, which may outlive the process: nothing of it is given back while it is merged, since the
// same run may have to be merged again. Made by the run store for --checkpoint.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "run/file_run_storage.hpp"

namespace sortie {

class KeptRunStorage final : public FileRunStorage {
 public:
  /// `used_bytes`: what the file holds already. `remedy`: for messages, as remedy().
  KeptRunStorage(std::unique_ptr<File> file, std::uint64_t used_bytes, std::string remedy)
      : FileRunStorage(std::move(file), used_bytes), remedy_(std::move(remedy)) {}

  /// The disk is set to work now and then, so that sync() will have less to wait for.
  std::uint64_t reserve(std::uint64_t bytes) override;
  void release(std::uint64_t, std::uint64_t) noexcept override {}
  bool gives_back() const override { return false; }
  std::string remedy() const override { return remedy_; }

 private:
  std::string remedy_;
  std::uint64_t written_back_bytes_ = 0;
};

}  // namespace sortie
