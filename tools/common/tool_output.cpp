#include "tools/common/tool_output.hpp"

#include <cerrno>
#include <string>

#include "io/files/io_error.hpp"

namespace sortie::tools {

void print(std::FILE* stream, std::string_view text) {
  errno = 0;
  const bool is_written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  if (is_written && std::fflush(stream) == 0) return;
  if (stream == stderr && errno == EBADF) return;  // the caller closed it, and does not want to read it
  const char* const name = stream == stdout ? "'standard output'" : "'standard error'";
  throw_io_error("write", name, errno != 0 ? errno : EIO, FileRole::kOutput);
}

}  // namespace sortie::tools
