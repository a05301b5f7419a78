// What the functions of sortie::cuda return: success, or one line that says what is wrong. No exception leaves them, so
// that programs built by another compiler, or without exceptions, can call them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace sortie::cuda {

enum class StatusCode : std::uint8_t {
  kOk,
  kInvalidArgument,  ///< an argument is wrong; nothing was launched, and all arrays are as they were
  kScratchTooSmall,  ///< the caller's scratch has too few bytes; nothing was launched, and all arrays are as they were
  kOutOfMemory,      ///< the allocator has no memory; nothing was launched, and all arrays are as they were
  kCudaError,        ///< a call of the CUDA runtime failed; what the arrays hold is undefined
};

/// Success or failure of a call. Failures of work that the call queued show later, as with any work in a stream: at the
/// next synchronisation.
class [[nodiscard]] Status {
 public:
  Status() noexcept = default;
  Status(StatusCode code, std::string message) noexcept : code_(code), message_(std::move(message)) {}

  bool ok() const noexcept { return code_ == StatusCode::kOk; }
  StatusCode code() const noexcept { return code_; }
  /// One line without a line end; empty after success.
  const std::string& message() const noexcept { return message_; }

 private:
  StatusCode code_ = StatusCode::kOk;
  std::string message_;
};

}  // namespace sortie::cuda
