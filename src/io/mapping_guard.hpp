// Mapped pages of a file may go away, when the file is cut short or its disk fails: the system then sends SIGBUS, which
// ends the process. A guard puts memory without content in their place instead and remembers that it did, so that a
// fault is an error like any other. Held by everything that maps a file.
#pragma once

#include <cstddef>
#include <span>

namespace sortie {

/// While there is a guard, the process has a handler for SIGBUS. It leaves faults elsewhere, and signals that another
/// process sent, to the handler that was there before, which is called as it asked to be; it is put back when the last
/// guard goes.
class MappingGuard {
 public:
  /// Guards nothing, and cannot fail.
  MappingGuard() = default;
  /// `pages`: whole ones, private or shared; they are written to only if they may be. Thread-safe.
  MappingGuard(std::span<const std::byte> pages, bool may_write);
  ~MappingGuard();
  MappingGuard(MappingGuard&& other) noexcept;
  MappingGuard& operator=(MappingGuard&& other) noexcept;
  MappingGuard(const MappingGuard&) = delete;
  MappingGuard& operator=(const MappingGuard&) = delete;

  /// Whether a page could not be had. All of them are empty then, and what was read of them must not be trusted.
  bool has_failed() const noexcept;

  /// One range as the signal handler finds it.
  struct Range;

 private:
  Range* range_ = nullptr;
};

}  // namespace sortie
