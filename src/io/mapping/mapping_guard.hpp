// Mapped pages of a file may go away, when the file is cut short or its disk fails: the system then sends SIGBUS, which
// ends the process. A guard replaces them by empty memory instead and remembers that it did, so that a fault is an
// error like any other. Held by everything that maps a file.
#pragma once

#include <cstddef>
#include <span>

namespace sortie {

/// While there is a guard, the process has a handler for SIGBUS. It passes faults elsewhere, and signals that another
/// process sent, on to the handler that was there before, which is called as it asked to be. The last guard puts that
/// handler back.
class MappingGuard {
 public:
  /// Guards nothing, and cannot fail.
  MappingGuard() = default;
  /// `pages`: whole pages, mapped private or shared. `may_write`: whether they are written to. Thread-safe.
  MappingGuard(std::span<const std::byte> pages, bool may_write);
  ~MappingGuard();
  MappingGuard(MappingGuard&& other) noexcept;
  MappingGuard& operator=(MappingGuard&& other) noexcept;
  MappingGuard(const MappingGuard&) = delete;
  MappingGuard& operator=(const MappingGuard&) = delete;

  /// Whether a page could not be had. Then all of them are empty, and bytes that were read from them must not be
  /// trusted.
  bool has_failed() const noexcept;

  /// One range as the signal handler finds it.
  struct Range;

 private:
  Range* range_ = nullptr;
};

}  // namespace sortie
