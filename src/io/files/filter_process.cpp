#include "io/files/filter_process.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sortie/error.hpp>

#include "base/descriptor.hpp"
#include "base/quote.hpp"
#include "base/thread_team.hpp"
#include "io/files/sigpipe_block.hpp"
#include "io/files/transfer.hpp"

namespace sortie {
namespace {

/// How often a program that may have to be left alone is asked whether it has ended: most have at once.
constexpr std::chrono::milliseconds kEndPoll{1};

[[noreturn]] void throw_system_error(const std::string& what, int error_number) {
  const char* const remedy = error_number == EMFILE ? "; raise the limit on open files with ulimit -n" : "";
  throw Error(what + ": " + std::strerror(error_number) + remedy);
}

struct Pipe {
  Descriptor read_end;
  Descriptor write_end;
};

/// Both ends close on exec, so that no program started meanwhile inherits them.
Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw_system_error("cannot make a pipe for the compress program", errno);
  Pipe pipe;
  pipe.read_end = Descriptor(above_standard(ends[0]));
  const int error_number = errno;
  pipe.write_end = Descriptor(above_standard(ends[1]));
  if (!pipe.read_end.is_open()) throw_system_error("cannot make a pipe for the compress program", error_number);
  if (!pipe.write_end.is_open()) throw_system_error("cannot make a pipe for the compress program", errno);
  return pipe;
}

void set_nonblocking(const Descriptor& end) {
  if (::fcntl(end.number(), F_SETFL, O_NONBLOCK) == 0) return;
  throw_system_error("cannot use the pipe of the compress program", errno);
}

/// How a program is started: with these files, and signals as they are at the start of a process.
class SpawnOptions {
 public:
  SpawnOptions(const Descriptor& input, const Descriptor& output) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
    check(::posix_spawn_file_actions_adddup2(&actions_, input.number(), STDIN_FILENO));
    check(::posix_spawn_file_actions_adddup2(&actions_, output.number(), STDOUT_FILENO));
    sigset_t signals;
    ::sigemptyset(&signals);
    check(::posix_spawnattr_setsigmask(&attributes_, &signals));
    ::sigaddset(&signals, SIGXFSZ);
    check(::posix_spawnattr_setsigdefault(&attributes_, &signals));
    check(::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
  }
  ~SpawnOptions() {
    ::posix_spawnattr_destroy(&attributes_);
    ::posix_spawn_file_actions_destroy(&actions_);
  }
  SpawnOptions(const SpawnOptions&) = delete;
  SpawnOptions& operator=(const SpawnOptions&) = delete;

  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  static void check(int error_number) {
    if (error_number != 0) throw_system_error("cannot prepare the compress program", error_number);
  }

  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

FilterProcess::FilterProcess(std::string path, Work work) : path_(std::move(path)) {
  Pipe to_program = make_pipe();
  Pipe from_program = make_pipe();
  const SpawnOptions settings(to_program.read_end, from_program.write_end);
  set_nonblocking(to_program.write_end);
  set_nonblocking(from_program.read_end);
  const bool decompresses = work == Work::kDecompress;
  std::string name = path_;
  std::string option = "-d";
  char* const arguments[] = {name.data(), decompresses ? option.data() : nullptr, nullptr};
  const int error_number =
      ::posix_spawnp(&id_, path_.c_str(), settings.actions(), settings.attributes(), arguments, environ);
  if (error_number != 0) {
    throw_system_error("couldn't execute compress program " + quote_word(path_) + (decompresses ? " (with -d)" : ""),
                       error_number);
  }
  input_ = std::move(to_program.write_end);
  output_ = std::move(from_program.read_end);
}

FilterProcess::~FilterProcess() {
  if (id_ <= 0) return;
  ::kill(id_, SIGKILL);
  retry_interrupted([&] { return ::waitpid(id_, nullptr, 0); });
}

FilterProcess::Moved FilterProcess::pump(std::span<const std::byte> input, std::span<std::byte> target) {
  Moved moved;
  while (moved.taken == 0 && moved.made == 0 && !output_has_ended()) {
    // poll() passes over a negative number.
    pollfd ends[2] = {{input.empty() ? -1 : input_.number(), POLLOUT, 0}, {output_.number(), POLLIN, 0}};
    throw_if_stopped();
    if (retry_interrupted([&] { return ::poll(ends, 2, may_be_stopped() ? kStopPollMs : -1); }) < 0) {
      throw_system_error("cannot wait for the compress program", errno);
    }
    if (ends[0].revents != 0) {
      const SigpipeBlock block;
      const ssize_t taken = retry_interrupted([&] { return ::write(input_.number(), input.data(), input.size()); });
      if (taken < 0 && errno == EPIPE) end_input();  // the program has closed it, and may go on
      if (taken < 0 && errno != EPIPE && errno != EAGAIN) {
        throw_system_error("cannot write to the compress program", errno);
      }
      if (taken > 0) moved.taken = static_cast<std::size_t>(taken);
    }
    if (ends[1].revents != 0) {
      const ssize_t made = retry_interrupted([&] { return ::read(output_.number(), target.data(), target.size()); });
      if (made < 0 && errno != EAGAIN) throw_system_error("cannot read from the compress program", errno);
      if (made == 0) output_.close();
      if (made > 0) moved.made = static_cast<std::size_t>(made);
    }
  }
  return moved;
}

// Returns the exit status as waitpid() gives it. A program may live on after it has closed its output.
int FilterProcess::wait_for_end() {
  int status = 0;
  while (true) {
    const int how = may_be_stopped() ? WNOHANG : 0;
    const pid_t ended = retry_interrupted([&] { return ::waitpid(id_, &status, how); });
    if (ended != 0) {
      id_ = -1;
      // If SIGCHLD is ignored, the exit status is lost; a bad result is found when it is read.
      return ended < 0 && errno == ECHILD ? 0 : status;
    }
    throw_if_stopped();
    std::this_thread::sleep_for(kEndPoll);
  }
}

void FilterProcess::finish() {
  end_input();
  const int status = wait_for_end();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  throw Error(quote_path_always(path_) + " [-d] terminated abnormally; run it by hand to see why");
}

}  // namespace sortie
