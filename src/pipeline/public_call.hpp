// Wraps the work of every public function: whatever goes wrong comes out as Error.
#pragma once

#include <utility>

namespace sortie {

/// Throws the exception that is being handled as Error: an Error as it is, lack of memory as MemoryError. An exception
/// that is no std::exception passes through: cancelling a thread throws one. Call in a handler.
[[noreturn]] void rethrow_as_error();

/// Calls `work`. Throws as rethrow_as_error() does.
template <class Work>
auto public_call(Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (...) {
    rethrow_as_error();
  }
}

}  // namespace sortie
