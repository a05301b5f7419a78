#include "cli/annotated_sort.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <sortie/annotate.hpp>
#include <sortie/sort.hpp>

#include "cli/diagnostics.hpp"

namespace sortie::cli {
namespace {

/// The sort writes to it, and the annotator reads from it.
class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) throw Error(std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_reading();
    close_writing();
  }

  int reading_end() const { return ends_[0]; }
  std::string writing_path() const { return "/dev/fd/" + std::to_string(ends_[1]); }

  void close_reading() { close(ends_[0]); }
  void close_writing() { close(ends_[1]); }

 private:
  static void close(int& end) {
    if (const int closed = std::exchange(end, -1); closed >= 0) ::close(closed);
  }

  std::array<int, 2> ends_{};
};

class Annotator {
 public:
  Annotator(const Format& format, Pipe& pipe) : format_(format), pipe_(pipe) {}

  /// Reads until nothing more comes. Keeps a failure for rethrow(): the pipe must be emptied in any case, or the sort
  /// would wait for ever.
  void run() {
    std::array<char, 65536> buffer;
    while (true) {
      const ssize_t bytes = ::read(pipe_.reading_end(), buffer.data(), buffer.size());
      if (bytes < 0 && errno == EINTR) continue;
      if (bytes < 0) return give_up_reading(errno);
      if (bytes == 0) return;
      keep_failure_of([&] { take({buffer.data(), static_cast<std::size_t>(bytes)}); });
    }
  }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  // The sort that goes on writing then gets an error, not a signal that ends the process.
  void give_up_reading(int error_number) {
    keep_failure_of([&] { throw Error(std::string("read failed: pipe of --debug: ") + std::strerror(error_number)); });
    std::signal(SIGPIPE, SIG_IGN);
    pipe_.close_reading();
  }

  template <class Work>
  void keep_failure_of(Work work) {
    if (failure_) return;
    try {
      work();
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
  Pipe& pipe_;
  std::string line_;  // beginning of a line whose end is still to come
  std::exception_ptr failure_;
};

std::thread start(Annotator& annotator) {
  try {
    return std::thread([&annotator] { annotator.run(); });
  } catch (const std::system_error& error) {
    throw Error(std::string("cannot start a thread: ") + error.what() +
                "; raise the limit on processes with ulimit -u, or drop --debug");
  }
}

}  // namespace

SortReport sort_annotated(SortOptions options) {
  Pipe pipe;
  options.output = pipe.writing_path();
  options.other_files.push_back("/dev/stdout");
  Annotator annotator(options.format, pipe);
  std::exception_ptr failure;
  SortReport report;
  std::thread annotating = start(annotator);
  try {
    report = sort(options);
  } catch (...) {
    failure = std::current_exception();
  }
  pipe.close_writing();
  annotating.join();
  annotator.rethrow();
  if (failure) std::rethrow_exception(failure);
  return report;
}

}  // namespace sortie::cli
