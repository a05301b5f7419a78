// Keys of version strings (-V): runs of digits count by their value, a '~' comes before the end of the text, letters
// come before other bytes, and file suffixes count only among equals. The key writer calls it for each such key.
#pragma once

#include <string>
#include <string_view>

namespace sortie {

/// Appends bytes to `out` whose memcmp order is the version order of `text`. Different texts may have equal keys, as
/// "1.0" and "01.0" do. Thread-safe. Time: linear in `text`.
void append_version_key(std::string_view text, std::string& out);

}  // namespace sortie
