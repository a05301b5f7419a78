// A run in a file with a name, which may outlive the process. A merge gives nothing of it back, since the same run may
// have to be merged again. There may be more runs than descriptors: of the written runs only some stay open, the others
// are opened for each read. Made by the run store for checkpoints.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <semaphore>
#include <string>
#include <utility>

#include "io/files/file.hpp"
#include "run/run.hpp"

namespace sortie {

/// Limits how many run files are open at once: some stay open for good, and each read of another run opens one more.
/// Shared by the runs of a store.
class OpenRunFiles {
 public:
  /// At most `most_files` are open, but two are always allowed.
  explicit OpenRunFiles(std::uint64_t most_files) : lasting_(half_of(most_files)), passing_(half_of(most_files)) {}

  using Slots = std::counting_semaphore<1024>;
  struct GiveBack {
    void operator()(Slots* slots) const { slots->release(); }
  };
  /// Holds room for one file until it is destroyed. May be null.
  using Slot = std::unique_ptr<Slots, GiveBack>;

  /// Takes room for a file that stays open. Null if there is none.
  Slot try_lasting() { return Slot(lasting_.try_acquire() ? &lasting_ : nullptr); }
  /// Takes room for one read. Waits until there is some.
  Slot passing() {
    passing_.acquire();
    return Slot(&passing_);
  }

 private:
  static std::ptrdiff_t half_of(std::uint64_t files) {
    return std::clamp(static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(files / 2, Slots::max())), std::ptrdiff_t{1},
                      Slots::max());
  }

  Slots lasting_;
  Slots passing_;
};

/// How to find a run's file. All members are called by several threads.
struct KeptRunSource {
  std::string path;                             ///< for messages
  std::function<std::unique_ptr<File>()> open;  ///< null if it is missing
  std::string remedy;                           ///< see RunStorage::remedy()
};

class KeptRunStorage final : public RunStorage {
 public:
  /// A new run, which is written to `file`. `source` finds it later.
  KeptRunStorage(std::unique_ptr<File> file, KeptRunSource source, std::shared_ptr<OpenRunFiles> open_files,
                 std::shared_ptr<RunMeter> meter)
      : source_(std::move(source)),
        open_files_(std::move(open_files)),
        meter_(std::move(meter)),
        file_(std::move(file)) {}
  /// A run that exists.
  KeptRunStorage(KeptRunSource source, std::shared_ptr<OpenRunFiles> open_files, std::shared_ptr<RunMeter> meter)
      : source_(std::move(source)),
        open_files_(std::move(open_files)),
        meter_(std::move(meter)),
        lasting_(open_files_->try_lasting()),
        file_(lasting_ ? source_.open() : nullptr) {}

  /// Starts writing to the disk now and then, so that complete() has less to wait for.
  std::uint64_t reserve(std::uint64_t bytes) override;
  void write(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void read(std::uint64_t offset, std::span<std::byte> target) const override;
  void expect_read(std::uint64_t offset, std::uint64_t bytes) const noexcept override {
    if (file_) file_->start_reading(offset, bytes);
  }
  void release(std::uint64_t, std::uint64_t) noexcept override {}
  bool in_file() const override { return true; }
  /// Waits until the run is durable. Closes its file unless that may stay open.
  void complete() override;
  std::string path() const override { return source_.path; }
  std::string remedy() const override { return source_.remedy; }

 private:
  void read_now(std::uint64_t offset, std::span<std::byte> target) const;
  void read_from(File& file, std::uint64_t offset, std::span<std::byte> target) const;
  [[noreturn]] void refuse(const std::string& reason) const;

  KeptRunSource source_;
  std::shared_ptr<OpenRunFiles> open_files_;
  std::shared_ptr<RunMeter> meter_;
  OpenRunFiles::Slot lasting_;  // null while the run is written
  std::unique_ptr<File> file_;  // null if it is opened for each read
  std::uint64_t used_bytes_ = 0;
  std::uint64_t written_back_bytes_ = 0;
};

}  // namespace sortie
