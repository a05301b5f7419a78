// Opens a named run file: for sortie-inspect, and for sorts that continue from runs written before.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "io/files/file.hpp"
#include "run/run.hpp"
#include "run/run_format.hpp"

namespace sortie {

struct RunFile {
  RunHeader header;
  Run run;
  std::uint64_t index_checksum = 0;  ///< checksum of the footer
};

/// Reads and checks header, trailer and footer; blocks are checked when they are read. Throws Error that
/// names the file if it is no run file, of another version, cut short or damaged.
RunFile open_run_file(FileSystem& files, const std::string& path);

/// The same for a file that is open already, `file_bytes` long.
RunFile open_stored_run(std::shared_ptr<RunStorage> storage, std::uint64_t file_bytes);

/// The header alone.
RunHeader read_run_header(const RunStorage& storage);

/// RunFile::index_checksum of a run file that has just been written, `file_bytes` long.
std::uint64_t read_index_checksum(const RunStorage& storage, std::uint64_t file_bytes);

}  // namespace sortie
