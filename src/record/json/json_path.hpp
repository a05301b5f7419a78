// Where in a JSON text the value of a key is: .user.id, .a[0], ."a b"[2].c, or . for all of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sortie {

/// One step into an object or array.
struct JsonStep {
  std::string name;                  ///< of a member, unless there is an index
  std::optional<std::size_t> index;  ///< of an element, from 0
};

using JsonPath = std::vector<JsonStep>;

/// Cuts a path off the front of `text`, and returns it. Throws Error that says what is wrong with it.
JsonPath take_json_path(std::string_view& text);

}  // namespace sortie
