// One side of a join, on threads of its own: a sort of an input, or a merge of slices. Its records come out behind
// their keys, while they are merged or, if they are in order, read. Made by join jobs, one for each side.
#pragma once

#include <cstddef>
#include <functional>

#include <sortie/options.hpp>
#include <sortie/report.hpp>

#include "io/files/file.hpp"
#include "observe/observer.hpp"
#include "pipeline/join/keyed_stream.hpp"
#include "pipeline/join/record_queue.hpp"
#include "pipeline/pushed_sort.hpp"

namespace sortie {

class SideThread {
 public:
  /// To whom it reports what, and by which name.
  struct Listeners {
    Observer& whole;
    const char* name = "";
    std::function<void(const Progress&)> watch;
  };
  /// Sorts or merges, and writes records as RecordForm::kKeyed to SortOptions::output, which `files` have.
  using Work = std::function<SortReport(FileSystem& files, const SortOptions& options, Observer& observer)>;

  /// Begins to work. The records throw what the work throws. `queue_bytes`: records that may wait. All references must
  /// outlive this.
  SideThread(FileSystem& files, SortOptions options, std::size_t queue_bytes, const Listeners& listeners, Work work);
  SideThread(const SideThread&) = delete;
  SideThread& operator=(const SideThread&) = delete;

  /// They end once the work is done, with its check of what came out.
  KeyedStream& records() { return records_; }

  /// Precondition: the records have ended.
  const SortReport& report() const { return thread_.report(); }

 private:
  SortReport work();

  FileSystem& files_;
  SortOptions options_;
  Work work_;
  Observer observer_;
  RecordQueue queue_;
  KeyedStream records_;
  SortThread thread_;
};

}  // namespace sortie
