// Opens a named run file: for sortie-inspect, and for sorts that continue from runs written before.
#pragma once

#include <string>

#include "io/file.hpp"
#include "run/run.hpp"
#include "run/run_format.hpp"

namespace sortie {

struct RunFile {
  RunHeader header;
  Run run;
};

/// Reads and checks header, trailer and footer; blocks are checked when they are read. Throws Error that
/// names the file if it is no run file, of another version, cut short or damaged.
RunFile open_run_file(FileSystem& files, const std::string& path);

}  // namespace sortie
