// An output of lines with places in a genome, which is BGZF and gets an index (indexed_file.hpp). It looks at the lines
// as they pass on their way to be packed. Made by open_job_output().
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <sortie/index_options.hpp>
#include <sortie/temporary_names.hpp>

#include "io/files/file.hpp"
#include "io/output/output.hpp"

namespace sortie {

/// Throws Error now if one of the files could not take its place. The output throws one, which names the line, for a
/// record that no index can have where it stands. `level`: how hard the output is packed. `most_bytes`: memory of the
/// index. `names` may be null.
std::unique_ptr<Output> make_indexed_output(FileSystem& files, const std::string& path, const IndexOptions& options,
                                            int level, std::uint64_t most_bytes, TemporaryNames* names);

}  // namespace sortie
