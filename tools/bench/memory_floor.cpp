// What a sort of a file in memory cannot do without: the input is read once, the output's pages are made, and each
// record is copied from a random place of the input to its place in the output; numbers, of up to 8 bytes, in order, as
// they can be scattered in whole lines of cache. Keys, comparisons and checks are left out. The ways are the fastest
// that are known, see "What an output in memory waits for" in RESULTS.md.
//
//   memory_floor INPUT OUTPUT [THREADS] [RECORD_BYTES]      default: all threads, 100
//
// Prints seconds of the wall for each step, processor seconds of all. OUTPUT is overwritten, and is not sorted.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kHugePage = 2 << 20;
constexpr std::size_t kTask = 1 << 20;  // bytes that a thread takes at a time
constexpr std::size_t kAhead = 32;      // records
constexpr std::size_t kNumberBytes = 8;
constexpr int kCollapse = 25;          // MADV_COLLAPSE
constexpr unsigned kLeastMapping = 4;  // fewer threads write by calls

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(2);
}

// Calls work(task) for each task, by so many threads.
void share(unsigned threads, std::size_t tasks, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> team;
  for (unsigned i = 0; i < threads; ++i) {
    team.emplace_back([&] {
      for (std::size_t task = next++; task < tasks; task = next++) work(task);
    });
  }
}

std::byte* map(int file, std::size_t bytes, int protection) {
  auto* const room = static_cast<std::byte*>(
      ::mmap(nullptr, bytes + kHugePage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  if (room == MAP_FAILED) fail("mmap");
  std::byte* const aligned = room + (kHugePage - reinterpret_cast<std::uintptr_t>(room) % kHugePage) % kHugePage;
  if (::mmap(aligned, bytes, protection, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) fail("mmap");
  return aligned;
}

struct Files {
  int output;
  std::size_t bytes;
  const std::byte* from;
  std::byte* to;  // null if it is written by calls
};

std::uint64_t read_once(const Files& files, unsigned threads) {
  std::atomic<std::uint64_t> sum = 0;
  share(threads, (files.bytes + kTask - 1) / kTask, [&](std::size_t task) {
    const std::size_t end = std::min(files.bytes, (task + 1) * kTask);
    std::uint64_t words = 0;
    for (std::size_t at = task * kTask; at + 8 <= end; at += 8) {
      std::uint64_t word;
      std::memcpy(&word, files.from + at, 8);
      words += word;
    }
    sum += words;
  });
  return sum;
}

void make_huge_pages(const Files& files, unsigned threads) {
  share(threads, files.bytes / kHugePage, [&](std::size_t page) {
    std::byte* const at = files.to + page * kHugePage;
    if (::fallocate(files.output, 0, static_cast<off_t>(page * kHugePage), 4096) != 0) fail("fallocate");
    if (::madvise(at, kHugePage, kCollapse) != 0 && ::madvise(at, kHugePage, kCollapse) != 0) fail("MADV_COLLAPSE");
  });
}

// Copies records to where they belong; the one that comes i-th lies at place i * stride, modulo their number.
void copy_records(const Files& files, unsigned threads, std::size_t record_bytes) {
  const std::size_t records = files.bytes / record_bytes;
  std::size_t stride = record_bytes <= kNumberBytes ? 1 : records / 1618 * 1000 + 1;
  while (std::gcd(stride, records) != 1) ++stride;
  const std::size_t of_task = kTask / record_bytes;
  std::mutex calls;
  share(threads, (records + of_task - 1) / of_task, [&](std::size_t task) {
    const std::size_t first = task * of_task;
    const std::size_t count = std::min(of_task, records - first);
    std::vector<std::byte> own(files.to == nullptr ? kTask : 0);
    std::byte* to = files.to == nullptr ? own.data() : files.to + first * record_bytes;
    const auto from = [&](std::size_t i) {
      const auto product = static_cast<unsigned __int128>(first + i) * stride;
      return files.from + static_cast<std::size_t>(product % records) * record_bytes;
    };
    const std::byte* coming[kAhead];
    const auto expect = [&](std::size_t i) {
      coming[i % kAhead] = from(i);
      for (std::size_t at = 0; at < record_bytes; at += 64) __builtin_prefetch(coming[i % kAhead] + at, 0, 2);
      __builtin_prefetch(coming[i % kAhead] + record_bytes - 1, 0, 2);
    };
    for (std::size_t i = 0; i < std::min(kAhead, count); ++i) expect(i);
    for (std::size_t i = 0; i < count; ++i, to += record_bytes) {
      std::memcpy(to, coming[i % kAhead], record_bytes);
      if (i + kAhead < count) expect(i + kAhead);
    }
    if (files.to != nullptr) return;
    const std::scoped_lock lock(calls);
    const auto bytes = static_cast<ssize_t>(count * record_bytes);
    if (::pwrite(files.output, own.data(), static_cast<std::size_t>(bytes), static_cast<off_t>(first * record_bytes)) !=
        bytes) {
      fail("pwrite");
    }
  });
}

double processor_seconds() {
  struct rusage usage;
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

int main(int argument_count, char** given) {
  if (argument_count < 3 || argument_count > 5) {
    std::fprintf(stderr, "usage: memory_floor INPUT OUTPUT [THREADS] [RECORD_BYTES]\n");
    return 2;
  }
  const unsigned threads =
      argument_count > 3 ? static_cast<unsigned>(std::atoi(given[3])) : std::jthread::hardware_concurrency();
  const std::size_t record_bytes = argument_count > 4 ? std::strtoul(given[4], nullptr, 10) : 100;
  const auto begin = Clock::now();
  const int input = ::open(given[1], O_RDONLY);
  ::unlink(given[2]);
  const int output = ::open(given[2], O_RDWR | O_CREAT, 0600);
  struct stat status;
  if (input < 0 || output < 0 || ::fstat(input, &status) != 0) fail("open");
  Files files{output, static_cast<std::size_t>(status.st_size), nullptr, nullptr};
  if (::ftruncate(output, status.st_size) != 0) fail("ftruncate");
  files.from = map(input, files.bytes, PROT_READ);
  std::jthread maker;
  if (threads >= kLeastMapping) {
    files.to = map(output, files.bytes, PROT_READ | PROT_WRITE);
    maker = std::jthread([&] { make_huge_pages(files, threads / 2); });
  }
  const std::uint64_t sum = read_once(files, threads);
  const double read = seconds_since(begin);
  if (maker.joinable()) maker.join();
  const double made = seconds_since(begin);
  copy_records(files, threads, record_bytes);
  const double all = seconds_since(begin);
  std::printf("read %.3f, pages made %.3f, records copied %.3f s; processors %.2f s (sum %llx)\n", read, made, all,
              processor_seconds(), static_cast<unsigned long long>(sum));
  return 0;
}
