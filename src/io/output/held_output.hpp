// A result that no file can take before it is complete: it is kept in memory, and written to its target at the end. So
// small results come to a target that must be rewritten where no directory may hold scratch files, and a process gets
// along that may open no more files while it reads. Made by open_output() only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <sortie/temporary_names.hpp>

#include "io/files/file.hpp"
#include "io/output/output.hpp"

namespace sortie {

class HeldOutput final : public Output {
 public:
  /// Keeps up to `most_bytes`. If more come it makes the file after all; if that is impossible, it throws `why_held`,
  /// the error that kept it from being made before. `names` may be null.
  HeldOutput(FileSystem& files, std::string path, TemporaryNames* names, std::uint64_t most_bytes,
             std::exception_ptr why_held);

  void write(std::span<const std::byte> bytes) override;
  void expect(std::uint64_t bytes) override;
  void write_around_cache() override {}
  void finish() override;

 private:
  void make_file();
  void rewrite(const FileStatus& target);

  FileSystem& files_;
  std::string path_;
  TemporaryNames* names_;
  std::uint64_t most_bytes_;
  std::exception_ptr why_held_;
  std::uint64_t bytes_ = 0;
  std::vector<std::vector<std::byte>> pieces_;
  std::unique_ptr<Output> file_;  // takes everything once it is there
};

}  // namespace sortie
