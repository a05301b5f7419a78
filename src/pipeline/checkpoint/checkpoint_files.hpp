// The names of a checkpoint's files, and whether a file that no manifest lists is what its name says: one that an
// earlier attempt left unfinished. Checkpoint removes what both say to be its own, and nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/private_directory.hpp"
#include "run/run.hpp"

namespace sortie {

inline constexpr const char* kManifestName = "sortie-manifest";

/// The file of a run. The number of the job is random: nobody else makes a file of that name by chance.
std::string run_name(const RunIdentity& run);
/// The manifest of a job before it is durable.
std::string new_manifest_name(std::uint64_t job_id);

/// Whether a checkpoint may have made a file of this name.
bool is_checkpoint_name(std::string_view name);

/// The run whose file has this name; nothing if it is the name of no run.
std::optional<RunIdentity> parse_run_name(std::string_view name);

/// Whether the file `name` begins as that of `run` does, as far as it was written.
bool is_left_of_run(PrivateDirectory& directory, const std::string& name, const RunIdentity& run);

/// Whether the file `name` is a manifest that never was durable, as far as it was written.
bool is_left_of_new_manifest(PrivateDirectory& directory, const std::string& name);

}  // namespace sortie
