#include "pipeline/public_call.hpp"

#include <cerrno>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <system_error>

#include <sortie/error.hpp>

namespace sortie {
namespace {

// Made when the library is loaded: its copies share the message and take no memory.
const MemoryError kMemoryExhausted("memory exhausted: let the sort take less", Remedy::kLessMemory);

/// Whether the error is that a thread could not be started.
bool is_about_thread(const std::exception& error) {
  const auto* const named = dynamic_cast<const std::system_error*>(&error);
  return named != nullptr && named->code() == std::errc::resource_unavailable_try_again;
}

std::string message_of(const std::exception& error) {
  if (!is_about_thread(error)) return std::string("the sort cannot go on: ") + error.what();
  return std::string("cannot start a thread: ") + std::strerror(EAGAIN) +
         "; raise the limit on processes with ulimit -u, or that on memory with ulimit -d or -v, or use fewer threads";
}

}  // namespace

void rethrow_as_error() {
  try {
    try {
      throw;
    } catch (const Error&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw kMemoryExhausted;
    } catch (const std::exception& error) {
      throw Error(message_of(error), is_about_thread(error) ? Remedy::kFewerThreads : Remedy::kOther);
    }
  } catch (const std::bad_alloc&) {  // the message needed memory
    throw kMemoryExhausted;
  }
}

}  // namespace sortie
