#include "formats/read_ahead.hpp"

#include <cstddef>
#include <future>
#include <utility>
#include <vector>

#include "base/raw_bytes.hpp"
#include "base/task_thread.hpp"

namespace sortie::formats {
namespace {

/// The next batch is read while the last one is used.
class ReadAhead {
 public:
  explicit ReadAhead(FormatFiles& files) : files_(files) { begin(); }

  /// The next records, which stay until the next call; empty at the end.
  const RawBytes& next() {
    const bool has_more = reading_.get();
    std::swap(current_, coming_);
    if (!has_more) {
      current_.clear();
    } else {
      begin();
    }
    return current_;
  }

 private:
  void begin() {
    reading_ = thread_.post([this] {
      coming_.clear();
      while (coming_.empty()) {
        if (!files_.read(coming_)) return false;
      }
      return true;
    });
  }

  FormatFiles& files_;
  RawBytes current_;
  RawBytes coming_;
  std::future<bool> reading_;
  TaskThread thread_;  // destroyed first: it uses the others
};

}  // namespace

void push_all(FormatFiles& files, PushedSort& sort) {
  ReadAhead ahead(files);
  for (const auto* records = &ahead.next(); !records->empty(); records = &ahead.next()) sort.push(*records);
}

}  // namespace sortie::formats
