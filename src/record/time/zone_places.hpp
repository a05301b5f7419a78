// Places that the tz database names its zones after: Japan, Tokyo, New_York. The reader of written zones does not know
// the zone of one that stands alone, but must not drop it.
#pragma once

#include <string_view>

namespace sortie {

/// Whether `name`, in either case, is such a place without its region, or "Local".
bool is_zone_place(std::string_view name);

}  // namespace sortie
