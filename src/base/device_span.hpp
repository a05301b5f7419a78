// How an engine says when its device was busy. Device work runs beside every thread, so no
// thread can time it: the engine records a timed event before and after it, and once both have passed turns
// them into host time and hands the span over.
//
//   at start     record a reference event, wait for it, take steady_clock::now(): host time of the reference
//   around work  record event b, enqueue the work, record event e, in the work's own stream
//   later        begin = reference + elapsed(reference, b), end = reference + elapsed(reference, e)
//
// The engine calls this from any of its threads; the Observer takes it into the trace and the statistics.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace sortie {

/// The part of a device that is busy. Each part has a row of its own in the statistics.
enum class DeviceUnit : std::uint8_t {
  kUpload,    ///< the link towards the device
  kKernels,   ///< the multiprocessors
  kDownload,  ///< the link back
};

struct DeviceSpan {
  int device = 0;                          ///< CUDA's number
  std::string_view track;                  ///< one line of the trace: a stream or a link ("H2D", "sort stream")
  DeviceUnit unit = DeviceUnit::kKernels;  ///< what the work keeps busy
  const char* stage = "";                  ///< a literal of letters, digits and spaces ("H2D", "sort chunk")
  std::chrono::steady_clock::time_point begin;
  std::chrono::steady_clock::time_point end;
  std::uint64_t bytes = 0;  ///< payload
};

class DeviceSpanSink {
 public:
  virtual ~DeviceSpanSink() = default;

  /// Thread-safe, never waits for a device. Spans of one track come in the order of their work. A span that comes more
  /// than some thousand spans late is left out of the busy time.
  virtual void add_device_span(const DeviceSpan& span) noexcept = 0;
};

}  // namespace sortie
