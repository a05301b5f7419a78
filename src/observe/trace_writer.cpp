#include "observe/trace_writer.hpp"

#include <algorithm>
#include <new>
#include <span>

#include "base/json.hpp"

namespace sortie {
namespace {

constexpr int kThreads = 1;  // the process whose tracks are threads; device d is process kFirstDevice + d
constexpr int kFirstDevice = 2;
constexpr int kPhaseTrack = 0;

constexpr std::size_t kBufferBytes = 64 << 10;

/// Microseconds with three decimals, whatever the locale. Not below 0: a device's clock may be a little off.
std::string microseconds(std::chrono::steady_clock::duration duration) {
  const long long nanoseconds =
      std::max<long long>(0, std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count());
  const std::string decimals = std::to_string(1000 + nanoseconds % 1000).substr(1);
  return std::to_string(nanoseconds / 1000) + "." + decimals;
}

/// A name as a string of JSON. Bytes that are no UTF-8 are replaced.
std::string quoted(std::string_view name) { return json_text(name); }

std::string ids_of(int process) { return "\"pid\":" + std::to_string(process); }
std::string ids_of(int process, int track) { return ids_of(process) + ",\"tid\":" + std::to_string(track); }

/// The event that names a track, or a group of tracks. `kind`: "thread_name" or "process_name".
std::string naming(const std::string& kind, const std::string& ids, std::string_view name) {
  return "{\"ph\":\"M\",\"name\":\"" + kind + "\"," + ids + ",\"args\":{\"name\":" + quoted(name) + "}}";
}

}  // namespace

TraceWriter::TraceWriter(std::unique_ptr<Output> output, TimePoint origin)
    : origin_(origin), output_(std::move(output)) {
  buffer_.reserve(kBufferBytes);
  append("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
  begin_process(kThreads);
  static_cast<void>(track_of(kThreads, "phases"));  // the first track, which gets number kPhaseTrack
}

TraceWriter::~TraceWriter() {
  try {
    close();
  } catch (const std::exception&) {
    // The sort has failed and reports another error.
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
  write_if_there_is_memory([&] {
    const auto track = thread_tracks_.find(std::this_thread::get_id());
    if (track != thread_tracks_.end()) add_event({kThreads, track->second}, name, begin, end, bytes);
  });
}

void TraceWriter::add_phase(const std::string& track, std::string_view name, TimePoint begin, TimePoint end,
                            std::uint64_t bytes) noexcept {
  write_if_there_is_memory([&] { write_event(track_of(kThreads, track), name, begin, end, bytes); });
}

void TraceWriter::add_device_span(const DeviceSpan& span) noexcept {
  write_if_there_is_memory([&] {
    add_event(track_of(kFirstDevice + span.device, std::string(span.track)), span.stage, span.begin, span.end,
              span.bytes);
  });
}

void TraceWriter::write_if_there_is_memory(FunctionRef<void()> write) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    write();
  } catch (const std::bad_alloc&) {
    return;  // a sort is worth more than its trace
  }
}

void TraceWriter::close() {
  const std::lock_guard lock(mutex_);
  if (!output_) return;
  append("\n]}\n");
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
  append(",\n" + naming("thread_name", ids_of(process, track.number), name));
  return track;
}

void TraceWriter::begin_process(int process) {
  if (!processes_.insert(process).second) return;
  const std::string name = process == kThreads ? "sortie" : "GPU " + std::to_string(process - kFirstDevice);
  append((process == kThreads ? "" : ",\n") + naming("process_name", ids_of(process), name));
}

void TraceWriter::add_event(Track track, std::string_view name, TimePoint begin, TimePoint end, std::uint64_t bytes) {
  const std::uint64_t stride_before = sampling_.stride();
  if (!sampling_.keeps(begin - origin_, end - begin)) return;
  write_event(track, name, begin, end, bytes);
  if (sampling_.stride() != stride_before) note_sampling(end);
}

void TraceWriter::write_event(Track track, std::string_view name, TimePoint begin, TimePoint end, std::uint64_t bytes) {
  append(",\n{\"ph\":\"X\",\"name\":" + quoted(name) + "," + ids_of(track.process, track.number) +
         ",\"ts\":" + microseconds(begin - origin_) + ",\"dur\":" + microseconds(end - begin) +
         ",\"args\":{\"bytes\":" + std::to_string(bytes) + "}}");
}

// Tells readers of the trace that its gaps are not idle time.
void TraceWriter::note_sampling(TimePoint time) {
  append(",\n{\"ph\":\"i\",\"s\":\"g\",\"name\":\"one second of " + std::to_string(sampling_.stride()) +
         " is traced from here on\"," + ids_of(kThreads, kPhaseTrack) + ",\"ts\":" + microseconds(time - origin_) +
         "}");
}

// Takes memory only for a text that is longer than the whole buffer.
void TraceWriter::append(std::string_view text) {
  if (!output_) return;
  if (buffer_.size() + text.size() > kBufferBytes) flush();
  buffer_.append(text);
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
