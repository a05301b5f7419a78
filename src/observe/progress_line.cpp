#include "observe/progress_line.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/size.hpp"

namespace sortie {
namespace {

constexpr std::chrono::milliseconds kDrawInterval{100};

std::string format_duration(long long seconds) {
  char text[48];
  const long long minutes = seconds / 60;
  if (minutes < 60) {
    std::snprintf(text, sizeof text, "%lld:%02d", minutes, static_cast<int>(seconds % 60));
  } else {
    std::snprintf(text, sizeof text, "%lld:%02d:%02d", minutes / 60, static_cast<int>(minutes % 60),
                  static_cast<int>(seconds % 60));
  }
  return text;
}

/// Width of the terminal behind the stream; nothing if there is no terminal.
std::optional<std::size_t> terminal_columns(std::FILE* stream) {
  winsize size{};
  if (::ioctl(::fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

}  // namespace

std::string format_progress(std::string_view phase, std::uint64_t done_bytes, std::uint64_t total_bytes,
                            double elapsed_seconds) {
  const double rate = elapsed_seconds > 0 ? static_cast<double>(done_bytes) / elapsed_seconds : 0;
  std::string text(phase);
  if (total_bytes != 0) {
    const double done = std::min(1.0, static_cast<double>(done_bytes) / static_cast<double>(total_bytes));
    char percent[16];
    std::snprintf(percent, sizeof percent, "  %3.0f%%", 100 * done);
    text += percent;
  }
  if (done_bytes == 0) return text;
  char speed[32];
  std::snprintf(speed, sizeof speed, "  %.2f GB/s", rate / 1e9);
  text += speed;
  if (total_bytes == 0) return text.append("  ").append(format_size(done_bytes)).append(" done");
  if (rate > 0 && done_bytes < total_bytes) {
    const std::chrono::duration<double> left(static_cast<double>(total_bytes - done_bytes) / rate);
    text.append("  ").append(format_duration(std::chrono::round<std::chrono::seconds>(left).count())).append(" left");
  }
  return text;
}

bool wants_progress(ProgressMode mode, std::FILE* stream) {
  if (mode == ProgressMode::kAuto) return ::isatty(::fileno(stream)) == 1;
  return mode == ProgressMode::kAlways;
}

void ProgressLine::begin_phase(std::string_view name, std::uint64_t total_bytes) {
  const std::lock_guard lock(mutex_);
  report_end_of_phase();
  phase_ = name;
  total_bytes_ = total_bytes;
  phase_begin_ = Clock::now();
  done_bytes_ = 0;
  show(phase_begin_);
}

void ProgressLine::advance(std::uint64_t bytes) {
  done_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  const Clock::time_point now = Clock::now();
  Clock::rep due = next_draw_.load(std::memory_order_relaxed);
  const Clock::rep next = (now + kDrawInterval).time_since_epoch().count();
  if (now.time_since_epoch().count() < due || !next_draw_.compare_exchange_strong(due, next)) return;
  const std::lock_guard lock(mutex_);
  if (!phase_.empty()) show(now);  // bytes may be read ahead of the first phase
}

void ProgressLine::end_watch() {
  const std::lock_guard lock(mutex_);
  report_end_of_phase();
  watch_ = {};
}

void ProgressLine::finish() {
  const std::lock_guard lock(mutex_);
  report_end_of_phase();
  phase_.clear();
  wipe();
}

// A total may be an estimate, or unknown until now: the end of a phase is all of it.
void ProgressLine::report_end_of_phase() {
  if (phase_.empty() || !watch_) return;
  const std::uint64_t end = total_bytes_ != 0 ? total_bytes_ : done_bytes_.load();
  if (end == 0) return;
  watch_({phase_, end, end, std::chrono::duration<double>(Clock::now() - phase_begin_).count()});
}

void ProgressLine::show(Clock::time_point now) {
  const Progress progress{phase_, done_bytes_, total_bytes_, std::chrono::duration<double>(now - phase_begin_).count()};
  if (stream_ != nullptr) draw(progress);
  if (watch_) watch_(progress);
}

void ProgressLine::draw(const Progress& progress) {
  std::string text = format_progress(progress.phase, progress.done_bytes, progress.total_bytes, progress.seconds);
  // A line that wraps could not be overwritten.
  if (const auto columns = terminal_columns(stream_)) text.resize(std::min(text.size(), *columns - 1));
  // Blanks cover what a longer line before left behind.
  std::fprintf(stream_, "\r%-*s", static_cast<int>(drawn_columns_), text.c_str());
  std::fflush(stream_);
  drawn_columns_ = text.size();
}

void ProgressLine::clear() noexcept {
  const std::lock_guard lock(mutex_);
  wipe();
}

void ProgressLine::make_way_for(FunctionRef<void()> write) {
  const std::lock_guard lock(mutex_);
  wipe();
  write();
}

void ProgressLine::wipe() noexcept {
  if (drawn_columns_ == 0) return;
  std::fprintf(stream_, "\r%*s\r", static_cast<int>(drawn_columns_), "");
  std::fflush(stream_);
  drawn_columns_ = 0;
}

}  // namespace sortie
