#include "io/files/child_process.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sortie/error.hpp>

#include "base/retry_interrupted.hpp"
#include "base/thread_team.hpp"
#include "io/files/sigpipe_block.hpp"

namespace sortie {
namespace {

/// How often a program that may have to be left alone is asked whether it has ended: most have at once.
constexpr std::chrono::milliseconds kEndPoll{1};

std::string_view advice_for_child(int error_number) {
  switch (error_number) {
    case EMFILE:
      return "; raise the limit on open files with ulimit -n";
    case ENFILE:
      return "; let other programs close files: the whole system has too many open";
    case EAGAIN:
      return "; raise the limit on processes with ulimit -u";
    case ENOMEM:
      return "; give the sort less memory with -S";
    default:
      return "";
  }
}

/// `what`: what could not be done, and by which call.
[[noreturn]] void throw_child_error(const std::string& what, int error_number) {
  throw Error(what + ": " + std::strerror(error_number) + std::string(advice_for_child(error_number)));
}

struct PipeEnds {
  Descriptor read_end;
  Descriptor write_end;
};

/// Both ends close on exec, so that no program started meanwhile inherits them.
PipeEnds make_pipe(const std::string& called) {
  const std::string what = "cannot make a pipe for " + called;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw_child_error(what + " (pipe2)", errno);
  PipeEnds pipe;
  // Both are owned before either is looked at.
  pipe.read_end = Descriptor(above_standard(ends[0]));
  const int error_number = errno;
  pipe.write_end = Descriptor(above_standard(ends[1]));
  if (!pipe.read_end.is_open()) throw_child_error(what + " (fcntl)", error_number);
  if (!pipe.write_end.is_open()) throw_child_error(what + " (fcntl)", errno);
  return pipe;
}

void set_nonblocking(const Descriptor& end, const std::string& called) {
  if (::fcntl(end.number(), F_SETFL, O_NONBLOCK) == 0) return;
  throw_child_error("cannot use a pipe of " + called + " (fcntl)", errno);
}

/// How a program is started: with these files, and signals as they are at the start of a process.
class SpawnOptions {
 public:
  explicit SpawnOptions(const std::string& called) : called_(called) {
    check(::posix_spawn_file_actions_init(&actions_), "posix_spawn_file_actions_init");
    if (const int error_number = ::posix_spawnattr_init(&attributes_)) {
      ::posix_spawn_file_actions_destroy(&actions_);
      check(error_number, "posix_spawnattr_init");
    }
  }
  ~SpawnOptions() {
    ::posix_spawnattr_destroy(&attributes_);
    ::posix_spawn_file_actions_destroy(&actions_);
  }
  SpawnOptions(const SpawnOptions&) = delete;
  SpawnOptions& operator=(const SpawnOptions&) = delete;

  void reset_signals() {
    sigset_t signals;
    ::sigemptyset(&signals);
    check(::posix_spawnattr_setsigmask(&attributes_, &signals), "posix_spawnattr_setsigmask");
    ::sigaddset(&signals, SIGPIPE);
    ::sigaddset(&signals, SIGXFSZ);
    check(::posix_spawnattr_setsigdefault(&attributes_, &signals), "posix_spawnattr_setsigdefault");
    check(::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF),
          "posix_spawnattr_setflags");
  }
  void take(int number, const Descriptor& end) {
    check(::posix_spawn_file_actions_adddup2(&actions_, end.number(), number), "posix_spawn_file_actions_adddup2");
  }
  void take_null(int number) {
    const int flags = number == STDIN_FILENO ? O_RDONLY : O_WRONLY;
    check(::posix_spawn_file_actions_addopen(&actions_, number, "/dev/null", flags, 0),
          "posix_spawn_file_actions_addopen");
  }

  /// Returns an errno, 0 if the program runs.
  int spawn(pid_t& id, std::vector<std::string>& words) const {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    return ::posix_spawnp(&id, arguments[0], &actions_, &attributes_, arguments.data(), environ);
  }

 private:
  void check(int error_number, const char* call) const {
    if (error_number != 0) throw_child_error("cannot prepare " + called_ + " (" + call + ")", error_number);
  }

  const std::string& called_;
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

ChildProcess::ChildProcess(ChildProgram program, ChildStreams streams) : program_(std::move(program)) {
  const std::array<ChildStream, 3> kinds = {streams.input, streams.output, streams.errors};
  Descriptor its_ends[3];
  SpawnOptions options(program_.called);
  options.reset_signals();
  for (int number = 0; number < 3; ++number) {
    if (kinds[number] == ChildStream::kNull) options.take_null(number);
    if (kinds[number] != ChildStream::kPipe) continue;
    PipeEnds pipe = make_pipe(program_.called);
    its_ends[number] = std::move(number == STDIN_FILENO ? pipe.read_end : pipe.write_end);
    ends_[number] = std::move(number == STDIN_FILENO ? pipe.write_end : pipe.read_end);
    set_nonblocking(ends_[number], program_.called);
    options.take(number, its_ends[number]);
  }
  const int error_number = options.spawn(id_, program_.words);
  if (error_number == 0) return;
  id_ = -1;
  if (error_number != ENOENT || program_.if_missing.empty()) throw_child_error(program_.not_run, error_number);
  throw Error(program_.not_run + ": " + std::strerror(error_number) + "; " + program_.if_missing);
}

ChildProcess::~ChildProcess() {
  if (id_ <= 0) return;
  ::kill(id_, SIGKILL);
  wait_for_sure();
}

ChildProcess::Ready ChildProcess::wait_until_ready(bool for_input, const Descriptor* read_end) const {
  // poll() passes over a negative number.
  pollfd ends[2] = {{for_input ? input().number() : -1, POLLOUT, 0},
                    {read_end != nullptr ? read_end->number() : -1, POLLIN, 0}};
  throw_if_stopped();
  if (retry_interrupted([&] { return ::poll(ends, 2, may_be_stopped() ? kStopPollMs : -1); }) < 0) {
    throw_child_error("cannot wait for " + program_.called + " (poll)", errno);
  }
  return {ends[0].revents != 0, ends[1].revents != 0};
}

std::optional<std::size_t> ChildProcess::read(const Descriptor& read_end, std::span<std::byte> target) const {
  const ssize_t bytes = retry_interrupted([&] { return ::read(read_end.number(), target.data(), target.size()); });
  if (bytes >= 0) return static_cast<std::size_t>(bytes);
  if (errno != EAGAIN) throw_child_error("cannot read from " + program_.called + " (read)", errno);
  return std::nullopt;
}

std::optional<std::size_t> ChildProcess::write(std::span<const std::byte> source) const {
  const SigpipeBlock block;
  const ssize_t bytes = retry_interrupted([&] { return ::write(input().number(), source.data(), source.size()); });
  if (bytes >= 0) return static_cast<std::size_t>(bytes);
  if (errno == EPIPE) return std::nullopt;
  if (errno != EAGAIN) throw_child_error("cannot write to " + program_.called + " (write)", errno);
  return 0;
}

std::optional<int> ChildProcess::wait() {
  int status = 0;
  while (true) {
    const int how = may_be_stopped() ? WNOHANG : 0;
    const pid_t ended = retry_interrupted([&] { return ::waitpid(id_, &status, how); });
    if (ended != 0) id_ = -1;
    if (ended > 0) return status;
    if (ended < 0 && errno == ECHILD) return std::nullopt;
    if (ended < 0) throw_child_error("cannot wait for " + program_.called + " (waitpid)", errno);
    throw_if_stopped();
    std::this_thread::sleep_for(kEndPoll);
  }
}

void ChildProcess::wait_for_sure() noexcept {
  if (id_ > 0) retry_interrupted([&] { return ::waitpid(id_, nullptr, 0); });
  id_ = -1;
}

}  // namespace sortie
