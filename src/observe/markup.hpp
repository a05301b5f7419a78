// Texts and figures as reports show them; those in the page of --report are escaped, and the same in every locale.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sortie {

/// The text for HTML or XML, between tags or within double quotes. What is no UTF-8, and control characters that
/// neither can hold, become U+FFFD.
std::string escape_markup(std::string_view text);

/// "3.10" for 3.1 and two decimals, whatever the locale.
std::string decimal(double value, int decimals);

/// "61%"
std::string percent(double share);

/// "1.25 GB/s", or "-" where nothing was measured.
std::string format_rate(std::uint64_t bytes, double seconds);

/// "0.3 ms", "2.41 s", "12 min 5 s", "1 h 2 min"
std::string format_seconds(double seconds);

}  // namespace sortie
