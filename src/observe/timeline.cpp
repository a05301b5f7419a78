#include "observe/timeline.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <iterator>
#include <limits>
#include <new>
#include <string>
#include <string_view>

#include "base/system_file.hpp"

namespace sortie {
namespace {

/// The next word as a number; 0 if there is none.
std::uint64_t next_number(std::string_view& text) {
  const std::string_view word = next_word(text);
  std::uint64_t number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number);
  return number;
}

MachineTicks machine_ticks() { return MachineTicks::parse(read_system_file("/proc/stat")); }

/// Resident memory of the process; 0 if the system does not say.
std::uint64_t resident_bytes() {
  const std::string text = read_system_file("/proc/self/statm");
  std::string_view rest = text;
  static_cast<void>(next_word(rest));  // the address space
  return next_number(rest) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

double processor_seconds_of_process() {
  timespec time{};
  if (::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

}  // namespace

BusyBins::BusyBins(TimePoint origin) : origin_(origin) {
  for (Bins& bins : bins_) bins.resize(kMostBins);
}

void BusyBins::add(Resource resource, TimePoint begin, TimePoint end) noexcept {
  Duration from = std::max(begin - origin_, Duration::zero());
  const Duration to = end - origin_;
  while (to > static_cast<Duration::rep>(kMostBins) * bin_length_) double_length();
  Bins& bins = bins_[static_cast<std::size_t>(resource)];
  while (from < to) {
    const auto bin = from / bin_length_;
    const Duration next = std::min(to, (bin + 1) * bin_length_);
    bins[static_cast<std::size_t>(bin)] += next - from;
    from = next;
  }
}

void BusyBins::forget(Resource resource, TimePoint begin, TimePoint end) noexcept {
  Bins& bins = bins_[static_cast<std::size_t>(resource)];
  for (std::size_t bin = 0; bin < kMostBins; ++bin) {
    const TimePoint bin_begin = origin_ + static_cast<Duration::rep>(bin) * bin_length_;
    if (bin_begin >= begin && bin_begin < end) bins[bin] = Duration::zero();
  }
}

void BusyBins::double_length() noexcept {
  for (Bins& bins : bins_) {
    for (std::size_t bin = 0; bin < kMostBins / 2; ++bin) bins[bin] = bins[2 * bin] + bins[2 * bin + 1];
    std::fill(bins.begin() + kMostBins / 2, bins.end(), Duration::zero());
  }
  bin_length_ *= 2;
}

std::array<std::vector<double>, kResourceCount> BusyBins::busy_seconds() const {
  std::array<std::vector<double>, kResourceCount> seconds;
  for (std::size_t i = 0; i < kResourceCount; ++i) {
    const auto last =
        std::find_if(bins_[i].rbegin(), bins_[i].rend(), [](Duration busy) { return busy != Duration::zero(); });
    std::transform(bins_[i].begin(), last.base(), std::back_inserter(seconds[i]),
                   [](Duration busy) { return std::chrono::duration<double>(busy).count(); });
  }
  return seconds;
}

MachineTicks MachineTicks::parse(std::string_view text) {
  MachineTicks ticks;
  if (next_word(text) != "cpu") return ticks;
  // In the order of proc(5): user, nice, system, idle, iowait, irq, softirq, steal. Guests count as users.
  constexpr std::size_t kFields = 8;
  for (std::size_t field = 0; field < kFields; ++field) {
    const std::uint64_t number = next_number(text);
    const bool is_idle = field == 3 || field == 4;
    ticks.all += number;
    if (!is_idle) ticks.busy += number;
  }
  return ticks;
}

ProcessSampler::ProcessSampler(TimePoint origin)
    : origin_(origin), processor_seconds_before_(processor_seconds_of_process()), machine_before_(machine_ticks()) {
  samples_.reserve(kMostSamples);
  sample(origin);
}

void ProcessSampler::sample_if_due(TimePoint now) noexcept {
  Rep due = next_sample_.load(std::memory_order_relaxed);
  if (now.time_since_epoch().count() < due) return;
  // One thread takes the sample, the others pass by.
  if (next_sample_.compare_exchange_strong(due, std::numeric_limits<Rep>::max())) sample(now);
}

void ProcessSampler::sample(TimePoint now) noexcept {
  const std::lock_guard lock(mutex_);
  next_sample_.store((now + interval_).time_since_epoch().count(), std::memory_order_relaxed);
  const double seconds = std::chrono::duration<double>(now - origin_).count();
  if (!samples_.empty() && seconds <= samples_.back().seconds) return;  // another thread was faster
  try {
    if (samples_.size() + 1 >= kMostSamples) thin_out();  // leaves room for the last one
    samples_.push_back({seconds, resident_bytes(), scratch_bytes_.load(std::memory_order_relaxed),
                        processor_seconds_of_process() - processor_seconds_before_});
  } catch (const std::bad_alloc&) {
    return;  // a sort is worth more than its picture
  }
}

// What is most of two neighbours stays, so that no peak is lost.
void ProcessSampler::thin_out() noexcept {
  std::size_t kept = 1;  // the start
  for (std::size_t i = 1; i + 1 < samples_.size(); i += 2) {
    const Timeline::Sample& first = samples_[i];
    const Timeline::Sample& second = samples_[i + 1];
    samples_[kept++] = {second.seconds, std::max(first.memory_bytes, second.memory_bytes),
                        std::max(first.scratch_bytes, second.scratch_bytes), second.processor_seconds};
  }
  samples_.resize(kept);
  interval_ *= 2;
}

std::vector<Timeline::Sample> ProcessSampler::samples() const {
  const std::lock_guard lock(mutex_);
  return samples_;
}

double ProcessSampler::machine_share() const {
  const MachineTicks now = machine_ticks();
  if (now.all <= machine_before_.all) return 0;
  return static_cast<double>(now.busy - machine_before_.busy) / static_cast<double>(now.all - machine_before_.all);
}

}  // namespace sortie
