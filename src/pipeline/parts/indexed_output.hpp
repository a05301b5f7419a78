// A BGZF output of places in a genome, and the index beside it. It looks at the lines as they pass on their way to be
// packed. Both files take their places together, or neither does. Made by open_job_output().
//
//   bytes ──┬──▶ packed as BGZF ──▶ blocks counted ──▶ OUTPUT ──────┐
//           └──▶ lines ──▶ index ─────────────────▶ OUTPUT.tbi ─────┴──▶ both in place
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <sortie/index_options.hpp>
#include <sortie/temporary_names.hpp>

#include "io/files/file.hpp"
#include "io/output/output.hpp"

namespace sortie {

/// "OUTPUT.tbi"
std::string index_path(const std::string& output, IndexForm form);

/// Throws Error now if one of the files could not take its place. The output throws one, which names the line, for a
/// record that no index can have where it stands. `level`: how hard the output is packed. `most_bytes`: memory of the
/// index. `names` may be null.
std::unique_ptr<Output> make_indexed_output(FileSystem& files, const std::string& path, const IndexOptions& options,
                                            int level, std::uint64_t most_bytes, TemporaryNames* names);

}  // namespace sortie
