#include "base/control_groups.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "base/size.hpp"
#include "base/system_file.hpp"

namespace sortie {
namespace {

/// The folders of a group and of those above it, as far as they can be seen.
struct GroupChain {
  bool is_version_2 = false;
  std::vector<std::string> folders;
};

/// A mount of a hierarchy of groups: the folder `mount_point` is its group `root`. A hierarchy of version 1 has some
/// controllers, the one of version 2 has all.
struct Mount {
  std::string root;
  std::string mount_point;
  bool is_version_2;
  std::string controllers;
};

bool has_word(const std::string& list, const std::string& word) {
  return ("," + list + ",").find("," + word + ",") != std::string::npos;
}

/// Takes the next line off the front of `text`; empty if there is none, or at an empty line: these files have none.
std::string_view next_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

/// The mounts of all hierarchies.
std::vector<Mount> find_mounts(const std::string& system_root) {
  std::vector<Mount> mounts;
  const std::string text = read_system_file(system_root + "/proc/self/mountinfo");
  std::string_view rest = text;
  for (std::string_view line = next_line(rest); !line.empty(); line = next_line(rest)) {
    if (line.find(" - cgroup") == std::string_view::npos) continue;  // most lines
    // number, parent, device, root, mount point, options, ..., "-", type, source, options of the file system
    std::vector<std::string_view> words;
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) words.push_back(word);
    const auto dash = std::find(words.begin(), words.end(), "-");
    if (dash - words.begin() < 6 || words.end() - dash < 4) continue;
    mounts.push_back({std::string(words[3]), std::string(words[4]), dash[1] == "cgroup2", std::string(dash[3])});
  }
  return mounts;
}

/// The folders of `group` and of those above it. If the mount does not show the group, as in a container with its own
/// view, the topmost group is taken for it.
std::vector<std::string> folders_of(const std::string& system_root, const Mount& mount, const std::string& group) {
  const std::string prefix = mount.root == "/" ? "" : mount.root;
  std::string path;
  if (group.starts_with(prefix + "/") && group.find("/..") == std::string::npos) path = group.substr(prefix.size());
  const std::string top = system_root + mount.mount_point;
  std::vector<std::string> folders;
  for (; path.size() > 1; path.erase(path.rfind('/'))) folders.push_back(std::string(top).append(path).append("/"));
  folders.push_back(top + "/");
  return folders;
}

using Clock = std::chrono::steady_clock;

/// For so long what the system has said of groups still holds.
constexpr std::chrono::milliseconds kRecent{100};

/// The mounts of all hierarchies, and which groups this process is in: the text of /proc/self/cgroup.
struct Hierarchies {
  explicit Hierarchies(const std::string& root)
      : mounts(find_mounts(root)), groups(read_system_file(root + "/proc/self/cgroup")) {}

  std::vector<Mount> mounts;
  std::string groups;
  Clock::time_point read_at = Clock::now();
};

/// Limits of several kinds are read one after another: they share what is read once. Other roots are those of tests,
/// which change what is there.
std::shared_ptr<const Hierarchies> recent_hierarchies(const std::string& system_root) {
  if (!system_root.empty()) return std::make_shared<const Hierarchies>(system_root);
  static std::mutex mutex;
  static std::shared_ptr<const Hierarchies> recent;  // guarded by it
  const std::scoped_lock lock(mutex);
  if (!recent || Clock::now() - recent->read_at >= kRecent) recent = std::make_shared<const Hierarchies>(system_root);
  return recent;
}

std::vector<GroupChain> find_groups(const std::string& system_root, const std::string& controller) {
  std::vector<GroupChain> chains;
  const std::shared_ptr<const Hierarchies> hierarchies = recent_hierarchies(system_root);
  std::string_view rest = hierarchies->groups;
  // "hierarchy:controllers:group"
  for (std::string_view line = next_line(rest); !line.empty(); line = next_line(rest)) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const std::string controllers(line.substr(first + 1, second - first - 1));
    const bool is_version_2 = controllers.empty();
    if (!is_version_2 && !has_word(controllers, controller)) continue;
    for (const Mount& mount : hierarchies->mounts) {
      if (mount.is_version_2 != is_version_2) continue;
      if (!is_version_2 && !has_word(mount.controllers, controller)) continue;
      chains.push_back({is_version_2, folders_of(system_root, mount, std::string(line.substr(second + 1)))});
    }
  }
  return chains;
}

/// Version 1 writes the largest number of whole pages for no limit.
constexpr std::uint64_t kNoMemoryLimit = std::uint64_t{1} << 62;

/// The files in which a version of control groups keeps its numbers.
struct MemoryFiles {
  std::vector<const char*> limits;
  const char* usage;
  const char* idle_cache;  // in memory.stat: file pages that the system takes back when memory is asked for
};

/// Applies the limits of one group, or `limit` if it is lower.
void apply_memory_limits(const std::string& folder, const MemoryFiles& files, std::uint64_t limit,
                         GroupMemory& memory) {
  for (const char* name : files.limits) limit = std::min(limit, read_number(folder + name).value_or(kNoLimit));
  if (limit >= kNoMemoryLimit) return;  // what is used does not matter then, and takes the system long to count
  const std::uint64_t usage = read_number(folder + files.usage).value_or(0);
  const std::uint64_t idle = read_named_number(folder + "memory.stat", files.idle_cache).value_or(0);
  const std::uint64_t used = usage - std::min(usage, idle);
  memory.limit_bytes = std::min(memory.limit_bytes, limit);
  memory.available_bytes = std::min(memory.available_bytes, limit - std::min(limit, used));
}

/// Version 2 has "QUOTA PERIOD" or "max PERIOD" in one file; version 1 has a file for each, and -1 for no quota.
std::uint64_t cpus_of(const std::string& folder, bool is_version_2) {
  const auto quota = read_number(folder + (is_version_2 ? "cpu.max" : "cpu.cfs_quota_us"));
  if (!quota) return kNoLimit;
  const auto period = is_version_2 ? read_named_number(folder + "cpu.max", std::to_string(*quota))
                                   : read_number(folder + "cpu.cfs_period_us");
  return period && *period > 0 ? std::max<std::uint64_t>(1, divide_up(*quota, *period)) : kNoLimit;
}

GroupMemory memory_of_groups(const std::string& root) {
  const MemoryFiles version_1{{"memory.limit_in_bytes"}, "memory.usage_in_bytes", "total_inactive_file"};
  const MemoryFiles version_2{{"memory.max", "memory.high"}, "memory.current", "inactive_file"};
  GroupMemory memory;
  for (const GroupChain& chain : find_groups(root, "memory")) {
    const MemoryFiles& files = chain.is_version_2 ? version_2 : version_1;
    for (const std::string& folder : chain.folders) apply_memory_limits(folder, files, kNoLimit, memory);
    if (chain.is_version_2) continue;
    // In version 1 the topmost group that can be seen knows the least limit of those above it.
    const std::string& top = chain.folders.back();
    const auto above = read_named_number(top + "memory.stat", "hierarchical_memory_limit");
    apply_memory_limits(top, files, above.value_or(kNoLimit), memory);
  }
  return memory;
}

std::uint64_t cpus_of_groups(const std::string& root) {
  std::uint64_t cpus = kNoLimit;
  for (const GroupChain& chain : find_groups(root, "cpu")) {
    for (const std::string& folder : chain.folders) cpus = std::min(cpus, cpus_of(folder, chain.is_version_2));
  }
  return cpus;
}

std::uint64_t threads_of_groups(const std::string& root) {
  std::uint64_t least = kNoLimit;
  for (const GroupChain& chain : find_groups(root, "pids")) {
    for (const std::string& folder : chain.folders) {
      const auto most = read_number(folder + "pids.max");
      const std::uint64_t used = read_number(folder + "pids.current").value_or(0);
      if (most) least = std::min(least, *most - std::min(*most, used));
    }
  }
  return least;
}

/// Reads limits of one kind. That the system has none holds for a moment: who sorts little, many times in a row, would
/// spend a quarter of the time looking for one. Thread-safe.
template <class Limit>
class LimitReader {
 public:
  using Read = Limit (*)(const std::string& root);
  LimitReader(Read read, const Limit& none) : read_(read), none_(none) {}

  Limit limit_at(const std::string& root) {
    if (!root.empty()) return read_(root);
    if (Clock::now().time_since_epoch().count() < none_until_) return none_;
    const Limit limit = read_(root);
    if (limit == none_) none_until_ = (Clock::now() + kRecent).time_since_epoch().count();
    return limit;
  }

 private:
  const Read read_;
  const Limit none_;
  std::atomic<Clock::rep> none_until_ = 0;
};

}  // namespace

GroupMemory read_group_memory(const std::string& root) {
  static LimitReader<GroupMemory> reader(memory_of_groups, {});
  return reader.limit_at(root);
}

std::uint64_t read_group_cpus(const std::string& root) {
  static LimitReader<std::uint64_t> reader(cpus_of_groups, kNoLimit);
  return reader.limit_at(root);
}

std::uint64_t read_group_threads(const std::string& root) {
  static LimitReader<std::uint64_t> reader(threads_of_groups, kNoLimit);
  return reader.limit_at(root);
}

}  // namespace sortie
