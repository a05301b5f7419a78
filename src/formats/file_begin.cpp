#include "formats/file_begin.hpp"

#include <cstddef>

#include <sortie/error.hpp>

#include "formats/file_format.hpp"
#include "io/input/open_input.hpp"

namespace sortie::formats {

std::vector<std::byte> read_begin(FileSystem& files, const std::string& path) {
  if (path == "-") return {};
  try {
    if (files.target_status(path).kind != FileStatus::Kind::kRegular) return {};
    std::vector<std::byte> begin(kBeginBytes);
    begin.resize(open_input(files, path, Unpacking::kArchive)->read(begin));
    return begin;
  } catch (const Error&) {
    return {};
  }
}

}  // namespace sortie::formats
