#include "io/output/write_way.hpp"

namespace sortie {

WriteWay WriteWayChoice::next() const {
  if (calls_.bytes < kTrialBytes || mapped_.bytes < kTrialBytes) {
    return calls_.bytes <= mapped_.bytes ? WriteWay::kCalls : WriteWay::kMapped;
  }
  const double calls_rate = static_cast<double>(calls_.bytes) * mapped_.seconds;
  const double mapped_rate = static_cast<double>(mapped_.bytes) * calls_.seconds;
  return mapped_rate > calls_rate ? WriteWay::kMapped : WriteWay::kCalls;
}

void WriteWayChoice::record(WriteWay way, std::uint64_t bytes, double seconds) {
  Trial& trial = way == WriteWay::kCalls ? calls_ : mapped_;
  trial.bytes += bytes;
  trial.seconds += seconds;
}

}  // namespace sortie
