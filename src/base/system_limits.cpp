#include "base/system_limits.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <future>
#include <memory>
#include <new>
#include <string_view>
#include <thread>

#include <sortie/error.hpp>

#include "base/control_groups.hpp"
#include "base/descriptor.hpp"
#include "base/system_file.hpp"
#include "base/whole_number.hpp"

namespace sortie {
namespace {

constexpr char kDescriptors[] = "/proc/self/fd";

/// Assumed if the open files cannot be counted: the standard ones, the output and its directory.
constexpr std::uint64_t kUsualOpenFiles = 8;

/// A process whose limit is higher seldom has too few descriptors. Whether it has is seen when a file cannot be opened.
constexpr std::uint64_t kLowDescriptorLimit = 64;
/// Two files, the one that they are merged into, and an output.
constexpr std::uint64_t kDescriptorsOfMerge = 4;

std::uint64_t physical_memory_bytes() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && page_bytes > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes) : 0;
}

std::uint64_t machine_available_bytes(const std::string& root) {
  if (const auto kibibytes = read_named_number(root + "/proc/meminfo", "MemAvailable:")) return *kibibytes << 10;
  const std::uint64_t physical_bytes = physical_memory_bytes();
  return physical_bytes > 0 ? physical_bytes / 2 : std::uint64_t{1} << 30;
}

/// What is left of a limit of the process. /proc/self/status gives the used part in kibibytes as `used_name`.
std::uint64_t left_of_limit(int resource, const std::string& root, const std::string& used_name) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kNoLimit;
  const std::uint64_t used = read_named_number(root + "/proc/self/status", used_name).value_or(0) << 10;
  return limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, used);
}

bool is_limited(int resource) {
  rlimit limit{};
  return ::getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

/// Whether a limit may keep `wanted` threads from being started. The limit on processes is one on the user's threads:
/// the machine has no fewer.
bool are_threads_limited(unsigned wanted, const std::string& root) {
  if (is_limited(RLIMIT_AS) || is_limited(RLIMIT_DATA) || read_group_threads(root) < wanted) return true;
  rlimit limit{};
  struct sysinfo machine {};
  return ::getrlimit(RLIMIT_NPROC, &limit) == 0 && ::sysinfo(&machine) == 0 && limit.rlim_cur < machine.procs + wanted;
}

/// The open descriptors from 0 to the first number that is free.
std::vector<int> lowest_descriptors() {
  std::vector<int> numbers;
  for (int number = 0; ::fcntl(number, F_GETFD) != -1; ++number) numbers.push_back(number);
  return numbers;
}

/// The number of open descriptors: the size of their directory from Linux 6.2 on. 0 if it is not known.
std::uint64_t count_descriptors() {
  struct stat directory {};
  return ::stat(kDescriptors, &directory) == 0 ? static_cast<std::uint64_t>(directory.st_size) : 0;
}

}  // namespace

std::uint64_t total_memory_bytes() {
  const std::uint64_t physical_bytes = physical_memory_bytes();
  if (physical_bytes == 0) throw Error("the size of the memory is not known: give the memory budget in bytes");
  return std::min(physical_bytes, read_group_memory().limit_bytes);
}

std::uint64_t available_memory_bytes(const std::string& root) {
  return std::min(
      {machine_available_bytes(root), read_group_memory(root).available_bytes, available_address_space(root)});
}

std::uint64_t available_address_space(const std::string& root) {
  return std::min(left_of_limit(RLIMIT_AS, root, "VmSize:"), left_of_limit(RLIMIT_DATA, root, "VmData:"));
}

unsigned available_threads(const std::string& root) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
  const std::uint64_t cpus = read_group_cpus(root);
  return static_cast<unsigned>(std::clamp<std::uint64_t>(static_cast<std::uint64_t>(CPU_COUNT(&allowed)), 1, cpus));
}

unsigned startable_threads(unsigned wanted, const std::string& root) {
  if (!are_threads_limited(wanted, root)) return wanted;
  std::promise<void> end;
  const std::shared_future<void> ended = end.get_future().share();
  std::vector<std::thread> threads;
  threads.reserve(wanted);
  try {
    while (threads.size() < wanted) threads.emplace_back([ended] { ended.wait(); });
  } catch (const std::system_error&) {  // no more of them
  } catch (const std::bad_alloc&) {     // nor memory for them
  }
  end.set_value();
  for (std::thread& thread : threads) thread.join();
  return static_cast<unsigned>(threads.size());
}

// Mostly they are the lowest numbers: to find that there are no others takes a tenth of the time of a list.
// Uses readdir(): the iterator of the standard library ends the process if memory runs out.
std::vector<int> open_descriptors() {
  std::vector<int> numbers = lowest_descriptors();
  if (count_descriptors() == numbers.size()) return numbers;
  numbers.clear();
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(kDescriptors), ::closedir);
  if (!directory) return numbers;
  while (const dirent* const entry = ::readdir(directory.get())) {
    const auto number = whole_number<int>(entry->d_name);
    if (number && *number != ::dirfd(directory.get())) numbers.push_back(*number);
  }
  std::ranges::sort(numbers);
  return numbers;
}

std::uint64_t free_descriptors() {
  const std::vector<int> descriptors = open_descriptors();
  const std::uint64_t open = descriptors.empty() ? kUsualOpenFiles : descriptors.size();
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return kNoLimit;
  return limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, open);
}

bool descriptors_are_scarce() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kLowDescriptorLimit) return false;
  return free_descriptors() < kDescriptorsOfMerge;
}

}  // namespace sortie
