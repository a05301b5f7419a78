#include "observe/trace_writer.hpp"

#include <cerrno>
#include <cstring>

#include <sortie/error.hpp>

namespace sortie {
namespace {

constexpr int kPhaseTrack = 0;

[[noreturn]] void fail(const std::string& path, const char* action, int error_number) {
  throw Error("cannot " + std::string(action) + " trace '" + path + "': " + std::strerror(error_number));
}

/// Microseconds with three decimals, in whatever locale.
struct Microseconds {
  explicit Microseconds(std::chrono::steady_clock::duration duration)
      : nanoseconds(std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count()) {}
  long long whole() const { return nanoseconds / 1000; }
  int thousandths() const { return static_cast<int>(nanoseconds % 1000); }

  long long nanoseconds;
};

}  // namespace

TraceWriter::TraceWriter(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "we")) {
  if (!file_) fail(path, "create", errno);
  std::fprintf(file_.get(),
               "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
               "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":%d,\"args\":{\"name\":\"phases\"}}",
               kPhaseTrack);
}

TraceWriter::~TraceWriter() {
  if (file_) complete();
}

void TraceWriter::enter_thread() {
  const std::lock_guard lock(mutex_);
  const auto [entry, is_new] = tracks_.try_emplace(std::this_thread::get_id(), static_cast<int>(tracks_.size()) + 1);
  if (is_new) name_track(entry->second);
}

void TraceWriter::add_span(std::string_view name, TimePoint begin, TimePoint end, std::uint64_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  const auto track = tracks_.find(std::this_thread::get_id());
  if (track != tracks_.end()) add_event(track->second, name, begin, end, bytes);
}

void TraceWriter::add_phase(std::string_view name, TimePoint begin, TimePoint end, std::uint64_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  add_event(kPhaseTrack, name, begin, end, bytes);
}

void TraceWriter::close() {
  const std::lock_guard lock(mutex_);
  if (!file_) return;
  complete();
  const bool failed = std::ferror(file_.get()) != 0;
  errno = 0;
  if (std::fclose(file_.release()) != 0 || failed) fail(path_, "write", errno != 0 ? errno : EIO);
}

void TraceWriter::name_track(int track) {
  if (!file_) return;
  std::fprintf(file_.get(),
               ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":%d,\"args\":{\"name\":\"thread %d\"}}",
               track, track);
}

void TraceWriter::add_event(int track, std::string_view name, TimePoint begin, TimePoint end,
                            std::uint64_t bytes) noexcept {
  if (!file_) return;
  const Microseconds start(begin - origin_);
  const Microseconds duration(end - begin);
  std::fprintf(file_.get(),
               ",\n{\"ph\":\"X\",\"name\":\"%.*s\",\"pid\":1,\"tid\":%d,\"ts\":%lld.%03d,\"dur\":%lld.%03d,"
               "\"args\":{\"bytes\":%llu}}",
               static_cast<int>(name.size()), name.data(), track, start.whole(), start.thousandths(), duration.whole(),
               duration.thousandths(), static_cast<unsigned long long>(bytes));
}

void TraceWriter::complete() noexcept { std::fputs("\n]}\n", file_.get()); }

}  // namespace sortie
