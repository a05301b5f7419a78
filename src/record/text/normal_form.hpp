// Normal forms of text: what NormalForm says, by utf8proc. Keys are made of them. ASCII, which has no other NFKC, needs
// no tables.
#pragma once

#include <string>
#include <string_view>

#include <sortie/text_order.hpp>

namespace sortie {

/// Appends `text` in its normal form to `out`. Bytes that are no UTF-8 stay. Thread-safe. Time: linear in `text`, but
/// for a character with very many marks.
void append_normal_form(std::string_view text, const NormalForm& form, std::string& out);

}  // namespace sortie
