#include "io/filter_program.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sortie/error.hpp>
#include <sortie/quote.hpp>

#include "base/above_standard.hpp"
#include "base/descriptor.hpp"
#include "io/transfer.hpp"

namespace sortie {
namespace {

constexpr std::size_t kReadBytes = 64 << 10;
/// A program whose result is longer than so many times its block does not compress, and may never end.
constexpr std::size_t kMostGrowth = 4;
/// More threads than this wait for each other.
constexpr std::uint64_t kMostAtOnce = 1024;

[[noreturn]] void throw_system_error(const std::string& what, int error_number) {
  throw Error(what + ": " + std::strerror(error_number));
}

/// A file in memory that holds `bytes` and stands at its begin: a program can be left alone with it, where a pipe would
/// have to be filled while the result is read.
Descriptor file_of(std::span<const std::byte> bytes) {
  Descriptor file(above_standard(::memfd_create("sortie-block", MFD_CLOEXEC)));
  if (!file.is_open()) throw_system_error("cannot make a file for the compress program", errno);
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t wrote = retry_interrupted(
        [&] { return ::pwrite(file.number(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(done)); });
    if (wrote < 0) throw_system_error("cannot write to the compress program", errno);
    done += static_cast<std::size_t>(wrote);
  }
  return file;
}

/// How a program is started: with these files, and signals as they are at the start of a process.
class SpawnSettings {
 public:
  SpawnSettings(int input, int output) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
    check(::posix_spawn_file_actions_adddup2(&actions_, input, STDIN_FILENO));
    check(::posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO));
    sigset_t signals;
    ::sigemptyset(&signals);
    check(::posix_spawnattr_setsigmask(&attributes_, &signals));
    ::sigaddset(&signals, SIGXFSZ);
    check(::posix_spawnattr_setsigdefault(&attributes_, &signals));
    check(::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
  }
  ~SpawnSettings() {
    ::posix_spawnattr_destroy(&attributes_);
    ::posix_spawn_file_actions_destroy(&actions_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  static void check(int error_number) {
    if (error_number != 0) throw_system_error("cannot prepare the compress program", error_number);
  }

  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

/// A program at work. It is waited for even if nobody wants its result any more.
class Process {
 public:
  Process(const std::string& path, bool decompresses, std::span<const std::byte> bytes) {
    const Descriptor input = file_of(bytes);
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw_system_error("cannot make a pipe for the compress program", errno);
    result_ = Descriptor(above_standard(ends[0]));
    const Descriptor output(above_standard(ends[1]));
    if (!result_.is_open() || !output.is_open()) {
      throw_system_error("cannot make a pipe for the compress program", errno);
    }
    const SpawnSettings settings(input.number(), output.number());
    std::string name = path;
    std::string option = "-d";
    char* const arguments[] = {name.data(), decompresses ? option.data() : nullptr, nullptr};
    const int error_number =
        ::posix_spawnp(&id_, path.c_str(), settings.actions(), settings.attributes(), arguments, environ);
    if (error_number == 0) return;
    throw_system_error("couldn't execute compress program " + quote_word(path) + (decompresses ? " (with -d)" : ""),
                       error_number);
  }
  ~Process() {
    if (id_ > 0) wait();
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Fewer bytes than asked for only at the end.
  std::size_t read(std::span<std::byte> target) {
    std::size_t done = 0;
    while (done < target.size()) {
      const ssize_t got =
          retry_interrupted([&] { return ::read(result_.number(), target.data() + done, target.size() - done); });
      if (got < 0) throw_system_error("cannot read from the compress program", errno);
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  }

  /// Whether it ended well. One that still writes is ended by that.
  bool wait() noexcept {
    result_.close();
    int status = 0;
    const pid_t id = std::exchange(id_, -1);
    const pid_t ended = retry_interrupted([&] { return ::waitpid(id, &status, 0); });
    // Where the system buries children unasked, nobody knows; a bad result is found out then.
    if (ended < 0) return errno == ECHILD;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

 private:
  pid_t id_ = -1;
  Descriptor result_;
};

class Turn {
 public:
  explicit Turn(std::counting_semaphore<>& free) : free_(free) { free_.acquire(); }
  ~Turn() { free_.release(); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  std::counting_semaphore<>& free_;
};

[[noreturn]] void throw_failed(const std::string& path) {
  throw Error(quote_path_always(path) + " [-d] terminated abnormally");
}

}  // namespace

FilterProgram::FilterProgram(std::string path, std::uint64_t most_at_once)
    : path_(std::move(path)),
      free_(static_cast<std::ptrdiff_t>(std::clamp<std::uint64_t>(most_at_once, 1, kMostAtOnce))) {}

std::vector<std::byte> FilterProgram::compress(std::span<const std::byte> bytes) const {
  const Turn turn(free_);
  Process process(path_, false, bytes);
  const std::size_t most_bytes = kMostGrowth * bytes.size() + kReadBytes;
  std::vector<std::byte> result(kReadBytes);
  std::size_t done = 0;
  for (std::size_t got = 0; (got = process.read(std::span(result).subspan(done))) > 0;) {
    done += got;
    if (done > most_bytes) throw Error(quote_word(path_) + " makes more of a block than it was: it does not compress");
    if (done == result.size()) result.resize(2 * done);
  }
  if (!process.wait()) throw_failed(path_);
  result.resize(done);
  return result;
}

bool FilterProgram::decompress(std::span<const std::byte> bytes, std::span<std::byte> target) const {
  const Turn turn(free_);
  Process process(path_, true, bytes);
  const std::size_t got = process.read(target);
  std::byte more{};
  const bool fits = got == target.size() && process.read({&more, 1}) == 0;
  const bool ended_well = process.wait();
  if (!ended_well && (fits || got < target.size())) throw_failed(path_);
  return fits;
}

}  // namespace sortie
