// What every public function does around its work: whatever goes wrong comes out as Error.
#pragma once

#include <utility>

namespace sortie {

/// Throws the exception that is being handled as Error: an Error as it is, want of memory as MemoryError. What is no
/// std::exception goes on: a thread that is cancelled ends by one. Call in a handler.
[[noreturn]] void rethrow_as_error();

/// Calls `work`. Throws nothing but Error.
template <class Work>
auto public_call(Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (...) {
    rethrow_as_error();
  }
}

}  // namespace sortie
