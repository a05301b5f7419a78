#include "cli/annotated_sort.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <string>
#include <thread>
#include <utility>

#include <sortie/annotate.hpp>
#include <sortie/sort.hpp>

#include "cli/diagnostics.hpp"

namespace sortie::cli {
namespace {

/// Where the sort writes and the annotator reads.
class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) throw Error(std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    ::close(ends_[0]);
    close_writing();
  }

  int reading_end() const { return ends_[0]; }
  std::string writing_path() const { return "/dev/fd/" + std::to_string(ends_[1]); }

  void close_writing() {
    if (const int end = std::exchange(ends_[1], -1); end >= 0) ::close(end);
  }

 private:
  std::array<int, 2> ends_{};
};

class Annotator {
 public:
  Annotator(const Format& format, int descriptor) : format_(format), descriptor_(descriptor) {}

  /// Until nothing more comes. What fails is kept for rethrow(): the pipe must be emptied in any case, or the sort
  /// would wait for ever.
  void run() {
    std::array<char, 65536> buffer;
    while (true) {
      const ssize_t bytes = ::read(descriptor_, buffer.data(), buffer.size());
      if (bytes < 0 && errno == EINTR) continue;
      if (bytes <= 0) return;
      if (!failure_) try_to_take({buffer.data(), static_cast<std::size_t>(bytes)});
    }
  }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void try_to_take(std::string_view text) {
    try {
      take(text);
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  void take(std::string_view text) {
    std::string annotations;
    for (std::size_t end; (end = text.find(format_.delimiter)) != std::string_view::npos;) {
      line_.append(text.substr(0, end));
      annotations += annotated(line_, format_.text);
      line_.clear();
      text.remove_prefix(end + 1);
    }
    line_.append(text);
    print(annotations);
  }

  const Format& format_;
  const int descriptor_;
  std::string line_;  // without its end, which is still to come
  std::exception_ptr failure_;
};

}  // namespace

SortReport sort_annotated(SortOptions options) {
  Pipe pipe;
  options.output = pipe.writing_path();
  Annotator annotator(options.format, pipe.reading_end());
  std::exception_ptr failure;
  SortReport report;
  std::thread annotating([&] { annotator.run(); });
  try {
    report = sort(options);
  } catch (...) {
    failure = std::current_exception();
  }
  pipe.close_writing();
  annotating.join();
  if (failure) std::rethrow_exception(failure);
  annotator.rethrow();
  return report;
}

}  // namespace sortie::cli
