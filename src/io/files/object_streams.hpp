// Objects of stores as inputs and outputs: names that begin with s3://, gs://, az://, https:// or http://, or with
// other names of these stores (s3a://, gcs://, abfss://), are read and written like pipes, by the Python package in a
// process of its own (python3 -m sortie.objects), which has the credentials and the protocols of all stores. All other
// names are those of another file system. Made by JobSite.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "io/files/file.hpp"

namespace sortie {

/// Whether a path names an object. A file of such a name can be given with ./ in front.
bool names_object(std::string_view path);

/// Memory for what is read ahead of all objects that are open at once, beside 1 MiB for each of them.
inline constexpr std::uint64_t kObjectReadAheadBytes = 64 << 20;

/// `files` must outlive it. `scratch_directory`: where an output waits that cannot be sent in parts; empty: the usual
/// one. An output becomes visible by File::sync(), which throws Error if it does not; without this
/// call the store keeps what it had. Functions of names throw Error for a name that holds credentials, and do not show
/// them.
std::unique_ptr<FileSystem> with_object_streams(FileSystem& files, std::string scratch_directory);

}  // namespace sortie
