#include "io/files/object_process.hpp"

#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "base/retry_interrupted.hpp"
#include "base/thread_team.hpp"
#include "io/files/sigpipe_block.hpp"

namespace sortie {
namespace {

constexpr const char* kPackageRemedy = "; objects need the Python package: pip install 'sortie-sort[objects]'";
/// How the program ends if it has told in one line what is wrong.
constexpr int kToldStatus = 2;

[[noreturn]] void fail_to_run(const std::string& url, const std::string& reason) {
  const bool is_missing = reason == std::strerror(ENOENT) || reason.find("No module named") != std::string::npos;
  throw Error("cannot run 'python3 -m sortie.objects' for " + quote_path_always(url) + ": " + reason +
              (is_missing ? kPackageRemedy : ""));
}

struct PipeEnds {
  Descriptor read_end;
  Descriptor write_end;
};

/// Both ends close on exec, so that no program started meanwhile inherits them.
PipeEnds make_object_pipe(const std::string& url) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail_to_run(url, std::strerror(errno));
  PipeEnds pipe;
  pipe.read_end = Descriptor(above_standard(ends[0]));
  pipe.write_end = Descriptor(above_standard(ends[1]));
  if (!pipe.read_end.is_open() || !pipe.write_end.is_open()) fail_to_run(url, std::strerror(EMFILE));
  return pipe;
}

/// The Python that this process is, as it was called; else the one beside this program, as commands of a package have
/// it; else the one of $PATH.
std::string python() {
  std::string own = program_invocation_name;
  if (own.substr(own.rfind('/') + 1).starts_with("python")) return own;
  std::array<char, PATH_MAX> path;
  const ssize_t bytes = ::readlink("/proc/self/exe", path.data(), path.size());
  if (bytes <= 0) return "python3";
  std::string beside(path.data(), static_cast<std::size_t>(bytes));
  beside.resize(beside.rfind('/') + 1);
  beside += "python3";
  return ::access(beside.c_str(), X_OK) == 0 ? beside : "python3";
}

/// Starts the program with `end` as standard input or output (`place`), and `errors` as standard error. Returns errno.
int spawn(pid_t& id, const char* const* arguments, int place, int end, int errors) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_adddup2(&actions, end, place);
  ::posix_spawn_file_actions_addopen(&actions, 1 - place, "/dev/null", place == 0 ? O_WRONLY : O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  sigset_t signals;
  ::sigemptyset(&signals);
  ::posix_spawnattr_setsigmask(&attributes, &signals);
  ::sigaddset(&signals, SIGPIPE);
  ::sigaddset(&signals, SIGXFSZ);
  ::posix_spawnattr_setsigdefault(&attributes, &signals);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  const int error_number =
      ::posix_spawnp(&id, arguments[0], &actions, &attributes, const_cast<char* const*>(arguments), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  return error_number;
}

}  // namespace

ObjectProcess::ObjectProcess(std::string url, Work work) : url_(std::move(url)), work_(work) {
  PipeEnds bytes = make_object_pipe(url_);
  PipeEnds errors = make_object_pipe(url_);
  const bool gets = work_ == Work::kGet;
  const std::string program = python();
  const char* const get_words[] = {program.c_str(), "-P", "-m", "sortie.objects", "get", url_.c_str(), nullptr};
  const char* const put_words[] = {program.c_str(), "-P",       "-m",         "sortie.objects",
                                   "put",           "--blocks", url_.c_str(), nullptr};
  Descriptor& its_end = gets ? bytes.write_end : bytes.read_end;
  pipe_ = std::move(gets ? bytes.read_end : bytes.write_end);
  const int error_number = spawn(id_, gets ? get_words : put_words, gets ? STDOUT_FILENO : STDIN_FILENO,
                                 its_end.number(), errors.write_end.number());
  if (error_number != 0) {
    id_ = -1;
    fail_to_run(url_, std::strerror(error_number));
  }
  ::fcntl(pipe_.number(), F_SETFL, O_NONBLOCK);
  errors_ = std::move(errors.read_end);
}

ObjectProcess::~ObjectProcess() {
  if (id_ <= 0) return;
  pipe_.close();
  // One that puts has to give up what it began: the end of its input tells it to.
  if (work_ == Work::kGet) ::kill(id_, SIGKILL);
  retry_interrupted([&] { return ::waitpid(id_, nullptr, 0); });
}

void ObjectProcess::wait_for(short event) {
  pollfd end{pipe_.number(), event, 0};
  throw_if_stopped();
  if (retry_interrupted([&] { return ::poll(&end, 1, may_be_stopped() ? kStopPollMs : -1); }) < 0) {
    fail_to_run(url_, std::strerror(errno));
  }
}

std::size_t ObjectProcess::read(std::span<std::byte> target) {
  if (!pipe_.is_open() || target.empty()) return 0;
  while (true) {
    const ssize_t bytes = retry_interrupted([&] { return ::read(pipe_.number(), target.data(), target.size()); });
    if (bytes > 0) return static_cast<std::size_t>(bytes);
    if (bytes == 0) {
      finish();
      return 0;
    }
    if (errno != EAGAIN) fail_to_run(url_, std::strerror(errno));
    wait_for(POLLIN);
  }
}

void ObjectProcess::write(std::span<const std::byte> source) {
  while (!source.empty()) {
    ssize_t bytes = 0;
    {
      const SigpipeBlock block;
      bytes = retry_interrupted([&] { return ::write(pipe_.number(), source.data(), source.size()); });
    }
    if (bytes > 0) source = source.subspan(static_cast<std::size_t>(bytes));
    if (bytes < 0 && errno == EPIPE) {
      finish();
      fail_to_run(url_, "it has ended before its time");
    }
    if (bytes < 0 && errno != EAGAIN) fail_to_run(url_, std::strerror(errno));
    if (bytes < 0) wait_for(POLLOUT);
  }
}

void ObjectProcess::finish() {
  pipe_.close();
  int status = 0;
  const std::string line = last_line();
  const pid_t ended = retry_interrupted([&] { return ::waitpid(id_, &status, 0); });
  id_ = -1;
  // If SIGCHLD is ignored, the exit status is lost: what the program says is left.
  if (ended < 0 ? line.empty() : WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  if (!line.empty() && (ended < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == kToldStatus))) throw Error(line);
  fail_to_run(url_, line.empty() ? "it was ended by a signal" : line);
}

/// What it has said, to its end.
std::string ObjectProcess::last_line() {
  constexpr std::size_t kMostBytes = 64 << 10;
  std::string said;
  std::array<char, 4096> piece;
  while (true) {
    pollfd end{errors_.number(), POLLIN, 0};
    throw_if_stopped();
    const int ready = retry_interrupted([&] { return ::poll(&end, 1, may_be_stopped() ? kStopPollMs : -1); });
    if (ready == 0) continue;
    const ssize_t bytes = retry_interrupted([&] { return ::read(errors_.number(), piece.data(), piece.size()); });
    if (bytes <= 0) break;
    said.append(piece.data(), static_cast<std::size_t>(bytes));
    if (said.size() > kMostBytes) said.erase(0, said.size() - kMostBytes);
  }
  while (!said.empty() && said.back() == '\n') said.pop_back();
  return said.substr(said.rfind('\n') + 1);
}

}  // namespace sortie
