// What the help text and the manual page say about the command beside its options.
#pragma once

#include <span>
#include <string_view>

namespace sortie::cli {

struct HelpExample {
  std::string_view command;
  std::string_view meaning;
};

struct HelpSection {
  std::string_view title;
  std::string_view text;  ///< one paragraph
};

/// What the command does, in one paragraph.
std::string_view help_introduction();
std::span<const HelpExample> help_examples();
/// The sections after the options.
std::span<const HelpSection> help_sections();

}  // namespace sortie::cli
