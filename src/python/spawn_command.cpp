// Starts a command that ends with the process that started it. Python's own way to say so in the new process copies the
// page tables of this one: 2 ms for each command of a cluster's driver, where this takes 0.2.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <vector>

#include "python/bindings.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

/// All that the new process uses: it shares the memory of this one, and must not allocate any.
struct Start {
  char* const* words;
  char* const* environment;
  int input;
  int output;
  int errors;
  pid_t parent;
  volatile int error_number;
};

[[noreturn]] void fail(Start& start) {
  start.error_number = errno;
  ::_exit(127);
}

[[noreturn]] void become_command(Start& start) {
  // A group of its own: Ctrl-C is for whoever started the command, and ends it.
  if (::setpgid(0, 0) != 0) fail(start);
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  for (const int number : {SIGTERM, SIGPIPE}) ::sigaction(number, &usual, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (::prctl(PR_SET_PDEATHSIG, SIGTERM) != 0) fail(start);
  if (::getppid() != start.parent) ::_exit(127);
  // Where this process has none of the usual descriptors, those of pipes may have their numbers.
  for (int* const descriptor : {&start.input, &start.output, &start.errors}) {
    *descriptor = ::fcntl(*descriptor, F_DUPFD_CLOEXEC, 3);
    if (*descriptor < 0) fail(start);
  }
  if (::dup2(start.input, 0) < 0 || ::dup2(start.output, 1) < 0 || ::dup2(start.errors, 2) < 0) fail(start);
  ::execve(start.words[0], start.words, start.environment);
  fail(start);
}

std::vector<char*> pointers_to(std::vector<nb::bytes>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (nb::bytes& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Signals wait until the command is started: their handlers would run in both processes.
class SignalBlock {
 public:
  SignalBlock() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalBlock() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalBlock(const SignalBlock&) = delete;
  SignalBlock& operator=(const SignalBlock&) = delete;

 private:
  sigset_t before_{};
};

/// `words[0]` is a path. Appends the number of the process to `started`: a
/// handler of a signal that raises may take from the caller what is returned.
/// Returns 0, or an errno if the process cannot be started. It gets SIGTERM
/// when the calling thread ends.
int spawn(std::vector<nb::bytes> words, std::vector<nb::bytes> environment, int output, int errors, nb::list started) {
  const std::vector<char*> word_pointers = pointers_to(words);
  const std::vector<char*> environment_pointers = pointers_to(environment);
  const int input = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (input < 0) return errno;
  Start start{word_pointers.data(), environment_pointers.data(), input, output, errors, ::getpid(), 0};
  pid_t process = -1;
  int why = 0;
  {
    const SignalBlock block;
    process = ::vfork();
    if (process == 0) become_command(start);
    why = process < 0 ? errno : start.error_number;
  }
  ::close(input);
  if (why == 0) {
    started.append(process);
  } else if (process > 0) {
    ::waitpid(process, nullptr, 0);
  }
  return why;
}

}  // namespace

void bind_spawn(nb::module_& module) {
  module.def("spawn", &spawn, nb::arg("words"), nb::arg("environment"), nb::arg("output"), nb::arg("errors"),
             nb::arg("started"));
}

}  // namespace sortie::python
