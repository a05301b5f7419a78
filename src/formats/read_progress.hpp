// Tells whoever watches how far a job of a format is. The sort in the middle does not know how many bytes its records
// will have, but the inputs have sizes: reading them is a phase of its own, whose progress is counted in bytes of their
// files. Then the sort tells how far it is. format_job.cpp makes it for all formats. If the size of an input is
// unknown, only the sort tells.
//
//   inputs ──▶ files() ──▶ reader        "reading": bytes of the files, up to the last that was read ─┐
//   sort of records ──▶ watch()          then its own phases: bytes of records ───────────────────────┴─▶ line, watch
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <sortie/options.hpp>

#include "io/files/file.hpp"
#include "observe/progress_line.hpp"

namespace sortie::formats {

class ReadProgress {
 public:
  /// `files` and `options` must outlive it. Nothing is counted if nobody watches.
  ReadProgress(FileSystem& files, const SortOptions& options);
  /// Wipes the line.
  ~ReadProgress();
  ReadProgress(const ReadProgress&) = delete;
  ReadProgress& operator=(const ReadProgress&) = delete;

  /// The files that the format reads from.
  FileSystem& files() { return counted_ ? *counted_ : files_; }
  /// For what reads an input by itself: it has read so many bytes of its file. Thread-safe.
  void has_read(const std::string& path, std::uint64_t bytes);

  /// Makes the sort of records report to this. It must end before this does.
  void watch(SortOptions& records);
  /// All inputs have been read.
  void end_reading() { is_reading_ = false; }
  /// The sort has ended: nobody is told anything any more.
  void end();

  /// Passes a warning on while no line is there.
  void warn(const Warning& warning);

 private:
  struct Input {
    std::uint64_t times = 0;  // that it is named
    std::uint64_t bytes = 0;
    std::uint64_t read = 0;
  };

  void measure();
  void show(const Progress& progress);

  FileSystem& files_;
  const SortOptions& options_;
  std::unique_ptr<FileSystem> counted_;
  std::mutex inputs_mutex_;
  std::map<std::string, Input, std::less<>> inputs_;  // guarded by the mutex
  std::uint64_t total_bytes_ = 0;                     // of all inputs; 0: unknown
  std::atomic<bool> is_reading_{true};
  std::mutex line_mutex_;             // guards what follows
  std::optional<ProgressLine> line_;  // nothing if nobody watches, or at the end
  std::string phase_;                 // of the sort
  std::uint64_t done_bytes_ = 0;      // in this phase
};

}  // namespace sortie::formats
