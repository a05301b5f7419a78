// What --debug says about an order of lines before it sorts: how text is compared, and which options may not do what
// was meant, in GNU sort's words. parse_command_line() asks.
#pragma once

#include <string>
#include <vector>

#include "option/request.hpp"

namespace sortie::cli {

/// One message for each warning, in the C library's current locale.
std::vector<std::string> order_warnings(const option::OrderRequest& request, bool unique);

}  // namespace sortie::cli
