#include "observe/trace_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include <sortie/error.hpp>
#include <sortie/quote.hpp>

namespace sortie {
namespace {

constexpr int kThreads = 1;  // the process whose tracks are threads; device d is process kFirstDevice + d
constexpr int kFirstDevice = 2;
constexpr int kPhaseTrack = 0;

[[noreturn]] void fail(const std::string& path, const char* action, int error_number) {
  throw Error("cannot " + std::string(action) + " trace '" + escape_unprintable(path) +
              "': " + std::strerror(error_number));
}

/// Microseconds with three decimals, in whatever locale. Not below 0: a device's clock may run a little off.
struct Microseconds {
  explicit Microseconds(std::chrono::steady_clock::duration duration)
      : nanoseconds(std::max<long long>(0, std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count())) {}
  long long whole() const { return nanoseconds / 1000; }
  int thousandths() const { return static_cast<int>(nanoseconds % 1000); }

  long long nanoseconds;
};

}  // namespace

TraceWriter::TraceWriter(const std::string& path, TimePoint origin)
    : path_(path), origin_(origin), file_(std::fopen(path.c_str(), "we")) {
  if (!file_) fail(path, "create", errno);
  std::fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n", file_.get());
  begin_process(kThreads);
  static_cast<void>(track_of(kThreads, "phases"));  // the first of all: kPhaseTrack
}

TraceWriter::~TraceWriter() {
  if (file_) complete();
}

void TraceWriter::name_thread(std::string_view name) {
  const std::lock_guard lock(mutex_);
  thread_tracks_[std::this_thread::get_id()] = track_of(kThreads, std::string(name)).number;
}

void TraceWriter::enter_thread() {
  const std::lock_guard lock(mutex_);
  const auto [entry, is_new] = thread_tracks_.try_emplace(std::this_thread::get_id(), 0);
  if (is_new) entry->second = track_of(kThreads, "thread " + std::to_string(thread_tracks_.size())).number;
}

void TraceWriter::add_span(std::string_view name, TimePoint begin, TimePoint end, std::uint64_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  const auto track = thread_tracks_.find(std::this_thread::get_id());
  if (track != thread_tracks_.end()) add_event({kThreads, track->second}, name, begin, end, bytes);
}

void TraceWriter::add_phase(std::string_view name, TimePoint begin, TimePoint end, std::uint64_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  add_event({kThreads, kPhaseTrack}, name, begin, end, bytes);
}

void TraceWriter::add_device_span(const DeviceSpan& span) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    add_event(track_of(kFirstDevice + span.device, std::string(span.track)), span.stage, span.begin, span.end,
              span.bytes);
  } catch (const std::bad_alloc&) {
    return;  // a sort is worth more than its trace
  }
}

void TraceWriter::close() {
  const std::lock_guard lock(mutex_);
  if (!file_) return;
  complete();
  const bool failed = std::ferror(file_.get()) != 0;
  errno = 0;
  if (std::fclose(file_.release()) != 0 || failed) fail(path_, "write", errno != 0 ? errno : EIO);
}

TraceWriter::Track TraceWriter::track_of(int process, const std::string& name) {
  const auto [entry, is_new] = tracks_.try_emplace({process, name}, static_cast<int>(tracks_.size()));
  const Track track{process, entry->second};
  if (!is_new || !file_) return track;
  if (process != kThreads) begin_process(process);
  std::fprintf(file_.get(),
               ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":\"%s\"}}", process,
               track.number, name.c_str());
  return track;
}

void TraceWriter::begin_process(int process) {
  if (!processes_.insert(process).second) return;
  const std::string name = process == kThreads ? "sortie" : "GPU " + std::to_string(process - kFirstDevice);
  std::fprintf(file_.get(), "%s{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"args\":{\"name\":\"%s\"}}",
               process == kThreads ? "" : ",\n", process, name.c_str());
}

void TraceWriter::add_event(Track track, std::string_view name, TimePoint begin, TimePoint end,
                            std::uint64_t bytes) noexcept {
  if (!file_) return;
  const std::uint64_t stride_before = sampling_.stride();
  if (!sampling_.keeps(begin - origin_, end - begin)) return;
  const Microseconds start(begin - origin_);
  const Microseconds duration(end - begin);
  std::fprintf(file_.get(),
               ",\n{\"ph\":\"X\",\"name\":\"%.*s\",\"pid\":%d,\"tid\":%d,\"ts\":%lld.%03d,\"dur\":%lld.%03d,"
               "\"args\":{\"bytes\":%llu}}",
               static_cast<int>(name.size()), name.data(), track.process, track.number, start.whole(),
               start.thousandths(), duration.whole(), duration.thousandths(), static_cast<unsigned long long>(bytes));
  if (sampling_.stride() != stride_before) note_sampling(end);
}

// Tells whoever looks at the gaps that nothing was idle there.
void TraceWriter::note_sampling(TimePoint time) noexcept {
  const Microseconds at(time - origin_);
  std::fprintf(file_.get(),
               ",\n{\"ph\":\"i\",\"s\":\"g\",\"name\":\"one second of %llu is traced from here on\",\"pid\":%d,"
               "\"tid\":%d,\"ts\":%lld.%03d}",
               static_cast<unsigned long long>(sampling_.stride()), kThreads, kPhaseTrack, at.whole(),
               at.thousandths());
}

void TraceWriter::complete() noexcept { std::fputs("\n]}\n", file_.get()); }

}  // namespace sortie
