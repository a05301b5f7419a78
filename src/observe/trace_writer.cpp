#include "observe/trace_writer.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <new>
#include <span>

namespace sortie {
namespace {

constexpr int kThreads = 1;  // the process whose tracks are threads; device d is process kFirstDevice + d
constexpr int kFirstDevice = 2;
constexpr int kPhaseTrack = 0;

/// An event is shorter: names are.
constexpr std::size_t kLongestEvent = 1024;
constexpr std::size_t kBufferBytes = 64 << 10;

/// Microseconds with three decimals, in whatever locale. Not below 0: a device's clock may run a little off.
struct Microseconds {
  explicit Microseconds(std::chrono::steady_clock::duration duration)
      : nanoseconds(std::max<long long>(0, std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count())) {}
  long long whole() const { return nanoseconds / 1000; }
  int thousandths() const { return static_cast<int>(nanoseconds % 1000); }

  long long nanoseconds;
};

}  // namespace

TraceWriter::TraceWriter(std::unique_ptr<Output> output, TimePoint origin)
    : origin_(origin), output_(std::move(output)) {
  buffer_.reserve(kBufferBytes);
  print("%s", "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
  begin_process(kThreads);
  static_cast<void>(track_of(kThreads, "phases"));  // the first of all: kPhaseTrack
}

TraceWriter::~TraceWriter() {
  try {
    close();
  } catch (const std::exception&) {
    // Of a sort that has failed: it has told of something else.
  }
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
  write_event({kThreads, kPhaseTrack}, name, begin, end, bytes);
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
  if (!output_) return;
  print("%s", "\n]}\n");
  flush();
  const std::unique_ptr<Output> output = std::move(output_);
  if (failure_) std::rethrow_exception(failure_);
  output->finish();
}

TraceWriter::Track TraceWriter::track_of(int process, const std::string& name) {
  const auto [entry, is_new] = tracks_.try_emplace({process, name}, static_cast<int>(tracks_.size()));
  const Track track{process, entry->second};
  if (!is_new || !output_) return track;
  if (process != kThreads) begin_process(process);
  print(",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":\"%s\"}}", process,
        track.number, name.c_str());
  return track;
}

void TraceWriter::begin_process(int process) {
  if (!processes_.insert(process).second) return;
  const std::string name = process == kThreads ? "sortie" : "GPU " + std::to_string(process - kFirstDevice);
  print("%s{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"args\":{\"name\":\"%s\"}}",
        process == kThreads ? "" : ",\n", process, name.c_str());
}

void TraceWriter::add_event(Track track, std::string_view name, TimePoint begin, TimePoint end,
                            std::uint64_t bytes) noexcept {
  const std::uint64_t stride_before = sampling_.stride();
  if (!sampling_.keeps(begin - origin_, end - begin)) return;
  write_event(track, name, begin, end, bytes);
  if (sampling_.stride() != stride_before) note_sampling(end);
}

void TraceWriter::write_event(Track track, std::string_view name, TimePoint begin, TimePoint end,
                              std::uint64_t bytes) noexcept {
  const Microseconds start(begin - origin_);
  const Microseconds duration(end - begin);
  print(
      ",\n{\"ph\":\"X\",\"name\":\"%.*s\",\"pid\":%d,\"tid\":%d,\"ts\":%lld.%03d,\"dur\":%lld.%03d,"
      "\"args\":{\"bytes\":%llu}}",
      static_cast<int>(name.size()), name.data(), track.process, track.number, start.whole(), start.thousandths(),
      duration.whole(), duration.thousandths(), static_cast<unsigned long long>(bytes));
}

// Tells whoever looks at the gaps that nothing was idle there.
void TraceWriter::note_sampling(TimePoint time) noexcept {
  const Microseconds at(time - origin_);
  print(
      ",\n{\"ph\":\"i\",\"s\":\"g\",\"name\":\"one second of %llu is traced from here on\",\"pid\":%d,"
      "\"tid\":%d,\"ts\":%lld.%03d}",
      static_cast<unsigned long long>(sampling_.stride()), kThreads, kPhaseTrack, at.whole(), at.thousandths());
}

template <class... Arguments>
void TraceWriter::print(const char* format, Arguments... arguments) noexcept {
  if (!output_) return;
  std::array<char, kLongestEvent> text;
  const int length = std::snprintf(text.data(), text.size(), format, arguments...);
  if (length < 0) return;
  if (buffer_.size() + text.size() > kBufferBytes) flush();
  buffer_.append(text.data(), std::min(static_cast<std::size_t>(length), text.size() - 1));
}

void TraceWriter::flush() noexcept {
  try {
    if (!failure_) output_->write(std::as_bytes(std::span(buffer_)));
  } catch (...) {
    failure_ = std::current_exception();
  }
  buffer_.clear();
}

}  // namespace sortie
