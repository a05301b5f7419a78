// The small text files in which the system says of itself, in /proc and /sys.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sortie {

/// The whole text of such a file; empty if it cannot be read. Streams of the standard library take several times as
/// long for these.
std::string read_system_file(const std::string& path);

/// Takes the next word off the front of `text`; empty if there is none.
std::string_view next_word(std::string_view& text);

/// The number that a file begins with; nothing if there is none, or no file.
std::optional<std::uint64_t> read_number(const std::string& path);

/// The number that follows `name` in a file of names and numbers.
std::optional<std::uint64_t> read_named_number(const std::string& path, const std::string& name);

}  // namespace sortie
