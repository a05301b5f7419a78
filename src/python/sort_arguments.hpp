// The arguments that say how and what to sort, by their names in Python, each with what it sets. named_options.cpp
// looks them up.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/options.hpp>

#include "python/option_value.hpp"
#include "python/order_words.hpp"

namespace sortie::python {

/// An argument that sets something of a Target.
template <class Target>
struct NamedOption {
  std::string_view name;
  void (*set)(Target& target, const OptionValue& value);
};

/// What the arguments of a sort are collected in.
struct SortTarget {
  SortOptions options;
  OrderWords order;
  bool header_is_told = false;                           ///< header_lines is given
  std::optional<std::array<std::byte, 16>> sample_seed;  ///< none: one is made up
  std::optional<std::vector<std::string>> group;         // aggregates
};

/// All that a sort of files takes.
std::span<const NamedOption<SortTarget>> sort_arguments();

/// Values that sorts of arrays take, too.
EngineChoice engine_in(const OptionValue& value);
unsigned threads_in(const OptionValue& value);

}  // namespace sortie::python
