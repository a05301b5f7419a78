// What most entries of the catalogue do with their field of SortOptions: ask whether it is set, and set it. A field is
// written as the members that lead to it: <&SortOptions::parts, &Parts::count>.
#pragma once

#include <sortie/options.hpp>

#include "option/request.hpp"

namespace sortie::option {

/// The options with all their defaults.
inline const SortOptions& usual_options() {
  static const SortOptions options;
  return options;
}

/// Whether a field has another value than its default.
template <auto... kMembers>
bool is_given(const SortOptions& options) {
  return (options.*....*kMembers) != (usual_options().*....*kMembers);
}

template <auto... kMembers>
void set_flag(Request& request, const Value& value) {
  (request.options.*....*kMembers) = value.as_flag();
}

template <auto... kMembers>
void set_path(Request& request, const Value& value) {
  (request.options.*....*kMembers) = value.as_path_or_none();
}

/// `kWords`: an array of Word.
template <const auto& kWords, auto... kMembers>
void set_choice(Request& request, const Value& value) {
  (request.options.*....*kMembers) = value.as_choice(kWords);
}

/// The same where Python has True or False.
template <const auto& kWords, auto... kMembers>
void set_switch(Request& request, const Value& value) {
  (request.options.*....*kMembers) = value.as_switch(kWords);
}

}  // namespace sortie::option
