// Inputs of JSON as lines: empty lines at the end are left out, and a document that is one array is read as its
// elements. Made by the input opener.
#pragma once

#include <memory>

#include "io/input/input.hpp"

namespace sortie {

/// What an input of JSON may be.
struct JsonReading {
  /// It may be one array: false where records come from a program, which pushes lines.
  bool may_be_array = true;
  /// All keys are of elements of arrays.
  bool keys_index = false;
};

/// `input` as JSON Lines. Lines of blanks at its end are left out; plain files stay plain ones, of known size, if they
/// hold no array. Other inputs are read ahead only as far as is needed to
/// decide, which is little unless the first line is an array.
std::unique_ptr<Input> as_json_lines(std::unique_ptr<Input> input, const JsonReading& reading);

}  // namespace sortie
