// The groups of the catalogue, a file for each, with their options in the order of the help text. catalogue() puts them
// together.
#pragma once

#include <span>

#include "option/option_spec.hpp"

namespace sortie::option {

std::span<const Spec> output_specs();
std::span<const Spec> selection_specs();
std::span<const Spec> action_specs();
std::span<const Spec> join_specs();
std::span<const Spec> order_specs();
std::span<const Spec> record_specs();
std::span<const Spec> file_format_specs();
std::span<const Spec> resource_specs();
std::span<const Spec> debug_specs();
std::span<const Spec> observation_specs();
std::span<const Spec> shard_specs();
std::span<const Spec> other_specs();

}  // namespace sortie::option
