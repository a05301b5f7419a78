// What the self-test checks of files: written, packed, merged, compared and joined. Each is made in the folder of its
// scratch space and removed again.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <sortie/options.hpp>
#include <sortie/temporary_names.hpp>

namespace sortie::cli {

struct FileContext {
  const SortOptions& resources;
  const std::string& folder;
  TemporaryNames& names;
};

struct FileCheck {
  std::string_view name;
  /// What is wrong, in a few words; empty if nothing is. Throws Error.
  std::string (*fault)(const FileContext& context);
};

std::span<const FileCheck> file_checks();

}  // namespace sortie::cli
