// The one rule for what becomes of a sort when a GPU fails. Followed by start_engines() while engines start, and by
// Attempts once a sort has begun.
#pragma once

#include <cstdint>

#include "base/device_error.hpp"

namespace sortie {

/// A sort in which a GPU has failed.
struct FailedSort {
  bool wanted_gpu = false;       ///< the options ask for one
  bool is_first_attempt = true;  ///< the sort has not begun anew yet
  bool is_starting = false;      ///< the engines were about to start: nothing is sorted
  bool can_begin_anew = false;   ///< the input can be read again, and nothing has been written
};

enum class AfterFailure : std::uint8_t {
  kGiveUp,
  kGoOnWithCpu,        ///< the CPU engine sorts from here on
  kBeginAnewWithLess,  ///< ... of the GPU's memory
  kBeginAnewWithCpu,
};

/// What to do after a GPU has failed with `error`. A sort that is starting is not ended by what happens to a GPU,
/// unless one was asked for. A sort that has begun begins anew if it can: with less if memory ran out. A GPU that was
/// asked for and is too full for a start is the user's to free.
AfterFailure after_failure(const DeviceError& error, const FailedSort& sort);

}  // namespace sortie
