#include "support/preload/fault_plan.hpp"

#include <atomic>
#include <bitset>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sortie::test {
namespace {

constexpr const char* kNames[] = {
    "open",  "read",  "pread",  "write", "pwrite", "fallocate", "ftruncate", "fsync",  "rename", "linkat",    "stat",
    "lseek", "fcntl", "advise", "chmod", "pipe",   "mapfile",   "readdir",   "unlink", "malloc", "mapmemory", "thread"};

/// The commands that are tested have fewer files open.
constexpr int kMostDescriptors = 1024;

/// Constant-initialised: calls are intercepted before any constructor has run.
struct Plan {
  std::atomic<bool> runs{false};
  unsigned counted_calls = 0;  // bit i: kNames[i]
  unsigned long first = 0;
  bool later = false;
  int error_number = 0;
  bool nameless_files = true;
  int log = -1;
  std::atomic<unsigned long> count{0};
  std::atomic<bool> has_struck{false};
  std::bitset<kMostDescriptors> open_before;
};

Plan plan;
thread_local int pauses = 0;

unsigned long number_in(const char* variable, unsigned long otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoul(text, nullptr, 10);
}

bool lists(const char* list, const char* name) {
  const std::size_t length = std::strlen(name);
  for (const char* at = list; (at = std::strstr(at, name)) != nullptr; at += length) {
    const bool begins = at == list || at[-1] == ',';
    if (begins && (at[length] == '\0' || at[length] == ',')) return true;
  }
  return false;
}

void log(const char* format, unsigned long count, const char* name) {
  char line[64];
  const int length = std::snprintf(line, sizeof line, format, name, count);
  if (plan.log >= 0) static_cast<void>(::syscall(SYS_write, plan.log, line, static_cast<std::size_t>(length)));
}

// Past the wrappers, which would count it.
bool is_open(int descriptor) { return ::syscall(SYS_fcntl, descriptor, F_GETFD) >= 0; }

// An interrupted call is tried again, so only every second one is interrupted.
bool is_to_fail(unsigned long number) {
  if (plan.first == 0 || number < plan.first) return false;
  return number == plan.first || (plan.later && (plan.error_number != EINTR || (number - plan.first) % 2 == 0));
}

}  // namespace

void start_faults() {
  const char* const calls = std::getenv("SORTIE_FAULT_CALLS");
  for (unsigned i = 0; i < std::size(kNames); ++i) {
    if (calls != nullptr && lists(calls, kNames[i])) plan.counted_calls |= 1U << i;
  }
  plan.first = number_in("SORTIE_FAULT_FIRST", 0);
  plan.later = number_in("SORTIE_FAULT_LATER", 0) != 0;
  plan.error_number = static_cast<int>(number_in("SORTIE_FAULT_ERROR", 0));
  plan.nameless_files = number_in("SORTIE_FAULT_NAMELESS", 1) != 0;
  plan.log = static_cast<int>(number_in("SORTIE_FAULT_LOG", ~0UL));
  for (int number = 0; number < kMostDescriptors; ++number) plan.open_before[number] = is_open(number);
  plan.runs = true;
}

FaultPause::FaultPause() { ++pauses; }

FaultPause::~FaultPause() { --pauses; }

void stop_faults() {
  plan.runs = false;
  log("%sof %lu\n", plan.count, "");
  for (int number = 0; number < kMostDescriptors; ++number) {
    if (is_open(number) && !plan.open_before[number]) log("%skeeps %lu\n", static_cast<unsigned long>(number), "");
  }
}

Verdict judge(Call call) {
  const auto index = static_cast<unsigned>(call);
  if (!plan.runs || pauses > 0 || (plan.counted_calls >> index & 1U) == 0) return Verdict::kPass;
  const unsigned long number = plan.count.fetch_add(1) + 1;
  if (!is_to_fail(number)) return Verdict::kPass;
  if (!plan.has_struck.exchange(true)) log("%s\n", 0, kNames[index]);
  if (plan.error_number == 0) return Verdict::kShorten;
  errno = plan.error_number;
  return Verdict::kFail;
}

std::size_t shortened(std::size_t bytes) {
  // Knuth's multiplier spreads consecutive calls over the range.
  return bytes <= 1 ? bytes : 1 + plan.count.load() * 2'654'435'761U % (bytes - 1);
}

bool knows_nameless_files() { return !plan.runs || plan.nameless_files; }

}  // namespace sortie::test
