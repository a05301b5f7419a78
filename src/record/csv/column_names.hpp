// Finds columns by the names that the header of CSV gives them. The pipeline calls it once the header has been read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <sortie/text_order.hpp>

namespace sortie {

/// The names of all columns. `header`: the record of names, with or without its line end.
std::vector<std::string> column_names(std::string_view header, char separator);

/// The order with the number of the field in place of each column's name. `header`: the record of names, with or
/// without its line end; if it is empty there are no records, and any number will do. Throws Error that lists the
/// existing names if a name is missing or occurs twice.
TextOrder with_columns_found(TextOrder order, std::string_view header);

}  // namespace sortie
