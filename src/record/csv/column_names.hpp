// Columns by the names that the header of CSV gives them. The pipeline looks them up once the header has been read.
#pragma once

#include <string_view>

#include <sortie/text_order.hpp>

namespace sortie {

/// The order with the number of the field in place of each column's name. `header`: the record of names; it may have a
/// line end; if it is empty there are no records, and any number does. Throws Error that lists the names there are for
/// one that is not there, or is there twice.
TextOrder with_columns_found(TextOrder order, std::string_view header);

}  // namespace sortie
