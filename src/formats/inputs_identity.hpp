// What tells the records that a format's reader gives from those of any other job, for sorts that go on after an end
// and for shards: SortOptions::source_identity.
#pragma once

#include <string>

#include "formats/file_format.hpp"

namespace sortie::formats {

/// A text made of the format, its settings, what is read of which inputs, and their state. The same text means the same
/// records in the same order. Throws Error for an input that cannot be read again, and for a shuffle by a made-up seed.
std::string identity_of_inputs(const FileFormat& format, const JobContext& context);

}  // namespace sortie::formats
