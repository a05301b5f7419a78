// The names of a checkpoint's files, and whether an unlisted file is what its name says: one that an earlier attempt
// left unfinished. Checkpoint removes a file only if both its name and its contents say that the file is its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/files/private_directory.hpp"
#include "run/run.hpp"

namespace sortie {

inline constexpr const char* kManifestName = "sortie-manifest";

/// The name of a run's file. The job id is random, so nobody else makes a file of that name by chance.
std::string run_name(const RunIdentity& run);
/// The name of a job's manifest before it is durable.
std::string new_manifest_name(std::uint64_t job_id);

/// Whether a checkpoint may have made a file of this name.
bool is_checkpoint_name(std::string_view name);

/// The run whose file has this name; nothing if it is the name of no run.
std::optional<RunIdentity> parse_run_name(std::string_view name);

/// Whether the file `name` begins like the file of `run`, as far as it was written.
bool is_left_of_run(PrivateDirectory& directory, const std::string& name, const RunIdentity& run);

/// Whether the file `name` begins like a manifest that never became durable, as far as it was written.
bool is_left_of_new_manifest(PrivateDirectory& directory, const std::string& name);

}  // namespace sortie
