#include "base/system_limits.hpp"

#include "base/system_file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/control_groups.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;
constexpr const char* kMountsOfVersion2 =
    "22 1 0:20 / /proc rw - proc proc rw\n31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 "
    "rw,nsdelegate\n";

/// The files of a fake system, below a folder of their own.
class FakeSystem {
 public:
  void write(const std::string& path, const std::string& text) {
    const std::filesystem::path whole = folder_.path() / path;
    std::filesystem::create_directories(whole.parent_path());
    test::write_whole_file(whole.string(), text);
  }
  void write_groups(const std::string& cgroup, const std::string& mounts) {
    write("proc/self/cgroup", cgroup);
    write("proc/self/mountinfo", mounts);
  }
  std::string root() const { return folder_.path().string(); }

 private:
  test::TemporaryDirectory folder_;
};

TEST(ControlGroups, NoFilesAreNoLimit) {
  const FakeSystem system;
  EXPECT_EQ(read_group_memory(system.root()).limit_bytes, kNoLimit);
  EXPECT_EQ(read_group_memory(system.root()).available_bytes, kNoLimit);
  EXPECT_EQ(read_group_cpus(system.root()), kNoLimit);
}

TEST(ControlGroups, VersionTwoCountsWhatIsUsedButForIdleFilePages) {
  FakeSystem system;
  system.write_groups("0::/job\n", kMountsOfVersion2);
  system.write("sys/fs/cgroup/job/memory.max", "1000000000\n");
  system.write("sys/fs/cgroup/job/memory.current", "600000000\n");
  system.write("sys/fs/cgroup/job/memory.stat", "anon 100000000\ninactive_file 450000000\nactive_file 5\n");
  EXPECT_EQ(read_group_memory(system.root()).limit_bytes, 1'000'000'000u);
  EXPECT_EQ(read_group_memory(system.root()).available_bytes, 850'000'000u);
}

TEST(ControlGroups, TheLeastOfAllGroupsAboveCounts) {
  FakeSystem system;
  system.write_groups("0::/slice/service/job\n", kMountsOfVersion2);
  system.write("sys/fs/cgroup/slice/service/job/memory.max", "max\n");
  system.write("sys/fs/cgroup/slice/service/memory.max", "900000000\n");
  system.write("sys/fs/cgroup/slice/service/memory.current", "100000000\n");
  system.write("sys/fs/cgroup/slice/memory.max", "2000000000\n");
  system.write("sys/fs/cgroup/slice/memory.current", "1700000000\n");
  EXPECT_EQ(read_group_memory(system.root()).limit_bytes, 900'000'000u);
  EXPECT_EQ(read_group_memory(system.root()).available_bytes, 300'000'000u);
}

TEST(ControlGroups, TheLimitAtWhichAGroupIsSlowedDownCounts) {
  FakeSystem system;
  system.write_groups("0::/job\n", kMountsOfVersion2);
  system.write("sys/fs/cgroup/job/memory.max", "1000\n");
  system.write("sys/fs/cgroup/job/memory.high", "700\n");
  system.write("sys/fs/cgroup/job/memory.current", "800\n");
  EXPECT_EQ(read_group_memory(system.root()).limit_bytes, 700u);
  EXPECT_EQ(read_group_memory(system.root()).available_bytes, 0u);
}

TEST(ControlGroups, VersionOneHasAHierarchyForEachController) {
  FakeSystem system;
  system.write_groups("5:cpu,cpuacct:/busy\n4:memory:/job\n1:name=systemd:/x\n0::/x\n",
                      "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
                      "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
                      "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  // A group above all that can be seen has the least limit. The job uses less of it than its neighbours do.
  system.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  system.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "300000000\n");
  system.write("sys/fs/cgroup/memory/memory.stat",
               "inactive_file 1\nhierarchical_memory_limit 400000000\ntotal_inactive_file 200000000\n");
  system.write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "500000000\n");
  system.write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "100000000\n");
  system.write("sys/fs/cgroup/cpu,cpuacct/busy/cpu.cfs_quota_us", "250000\n");
  system.write("sys/fs/cgroup/cpu,cpuacct/busy/cpu.cfs_period_us", "100000\n");
  system.write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  system.write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(read_group_memory(system.root()).limit_bytes, 400'000'000u);
  EXPECT_EQ(read_group_memory(system.root()).available_bytes, 300'000'000u);
  EXPECT_EQ(read_group_cpus(system.root()), 3u);
}

TEST(ControlGroups, AContainerSeesItsOwnGroupAsTheRootOfTheMount) {
  FakeSystem system;  // has no view of its own, so the group is named as the machine names it
  system.write_groups("4:memory:/docker/1234/job\n",
                      "35 31 0:32 /docker/1234 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
  system.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "800\n");
  system.write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "900\n");
  EXPECT_EQ(read_group_memory(system.root()).limit_bytes, 800u);
}

TEST(ControlGroups, AGroupThatTheMountDoesNotShowIsTheTopmostOne) {
  FakeSystem system;
  system.write_groups("0::/../elsewhere\n", kMountsOfVersion2);
  system.write("sys/fs/cgroup/memory.max", "800\n");
  EXPECT_EQ(read_group_memory(system.root()).limit_bytes, 800u);

  system.write_groups("4:memory:/docker/1234567\n",
                      "35 31 0:32 /docker/1234 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
  system.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "700\n");
  EXPECT_EQ(read_group_memory(system.root()).limit_bytes, 700u);
}

TEST(ControlGroups, ProcessorTimeIsRoundedUp) {
  FakeSystem system;
  system.write_groups("0::/slice/job\n", kMountsOfVersion2);
  system.write("sys/fs/cgroup/slice/job/cpu.max", "max 100000\n");
  EXPECT_EQ(read_group_cpus(system.root()), kNoLimit);
  system.write("sys/fs/cgroup/slice/cpu.max", "150000 100000\n");
  EXPECT_EQ(read_group_cpus(system.root()), 2u);
  system.write("sys/fs/cgroup/slice/job/cpu.max", "1000 100000\n");
  EXPECT_EQ(read_group_cpus(system.root()), 1u);
  EXPECT_EQ(available_threads(system.root()), 1u);
}

TEST(ControlGroups, NonsenseInFilesIsNoLimit) {
  FakeSystem system;
  system.write_groups("no colons\n0::/job\n", std::string("too short - x\n") + kMountsOfVersion2);
  system.write("sys/fs/cgroup/job/memory.max", "lots\n");
  system.write("sys/fs/cgroup/job/memory.high", "99999999999999999999999999\n");
  system.write("sys/fs/cgroup/job/cpu.max", "100000 0\n");
  EXPECT_EQ(read_group_memory(system.root()).limit_bytes, kNoLimit);
  EXPECT_EQ(read_group_cpus(system.root()), kNoLimit);
}

TEST(SystemFiles, AreReadToTheirEnd) {
  FakeSystem system;
  const std::string long_text(10'000, 'x');
  system.write("long", long_text);
  system.write("named", long_text + "\nits_value: 15\nvalue:\t 17 kB\nother 18\nlast 19");
  EXPECT_EQ(read_system_file(system.root() + "/long"), long_text);
  EXPECT_EQ(read_system_file(system.root() + "/missing"), "");
  EXPECT_EQ(read_named_number(system.root() + "/named", "value:"), 17U);
  EXPECT_EQ(read_named_number(system.root() + "/named", "last"), 19U);
  EXPECT_EQ(read_named_number(system.root() + "/named", "missing"), std::nullopt);
  EXPECT_EQ(read_named_number(system.root() + "/named", "value"), std::nullopt);
}

TEST(AvailableMemory, IsTheLeastOfMachineAndGroups) {
  FakeSystem system;
  system.write("proc/meminfo", "MemTotal:  4000 kB\nMemAvailable:    3000 kB\n");
  EXPECT_EQ(available_memory_bytes(system.root()), 3000u << 10);
  system.write_groups("0::/job\n", kMountsOfVersion2);
  system.write("sys/fs/cgroup/job/memory.max", "2048000\n");
  EXPECT_EQ(available_memory_bytes(system.root()), 2'048'000u);
}

/// Runs `body` in a process of its own, because limits cannot be raised again.
template <class Body>
bool holds_in_child(Body&& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body() ? 0 : 1);
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(AvailableMemory, LimitsOfTheProcessLeaveWhatItHasNotTaken) {
  // Far above what a sanitizer maps for itself.
  constexpr std::uint64_t kManyBytes = 1ULL << 56;
  FakeSystem system;
  system.write("proc/meminfo", "MemAvailable: 900000000000000 kB\n");
  system.write("proc/self/status", "Name: sortie\nVmSize:  102400 kB\nVmData:  51200 kB\n");
  for (const auto& [resource, used] : {std::pair{RLIMIT_AS, 100 * kMiB}, std::pair{RLIMIT_DATA, 50 * kMiB}}) {
    EXPECT_TRUE(holds_in_child([&, resource = resource, used = used] {
      const rlimit limit{kManyBytes, kManyBytes};
      return ::setrlimit(resource, &limit) == 0 && available_memory_bytes(system.root()) == kManyBytes - used;
    })) << resource;
  }
}

TEST(TotalMemory, IsNoMoreThanThatOfTheMachine) {
  const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
  EXPECT_GT(total_memory_bytes(), 0u);
  EXPECT_LE(total_memory_bytes(), pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)));
}

TEST(FreeDescriptors, AreThoseOfTheLimitThatAreNotOpen) {
  EXPECT_TRUE(holds_in_child([] {
    const rlimit limit{321, 321};
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) return false;
    const std::uint64_t before = free_descriptors();
    return before > 200 && before < 320 && ::dup(STDERR_FILENO) >= 0 && free_descriptors() == before - 1;
  }));
}

TEST(OpenDescriptors, AreFoundWithAndWithoutGapsBetweenThem) {
  EXPECT_TRUE(holds_in_child([] {
    const std::vector<int> before = open_descriptors();
    const int lowest_free = ::dup(STDERR_FILENO);
    const int above_a_gap = ::fcntl(STDERR_FILENO, F_DUPFD, 77);
    std::vector<int> opened = before;
    opened.insert(opened.end(), {lowest_free, above_a_gap});
    std::ranges::sort(opened);
    if (above_a_gap < 77 || open_descriptors() != opened) return false;
    ::close(lowest_free);
    std::erase(opened, lowest_free);
    if (open_descriptors() != opened) return false;
    ::close(above_a_gap);
    return open_descriptors() == before;
  }));
}

}  // namespace
}  // namespace sortie
