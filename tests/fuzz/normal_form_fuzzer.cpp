// Any bytes as a text whose normal form is made, and as shares. Text stays text, and most normal forms are their own.
//
//   | form | text |
#include <string>

#include <sortie/error.hpp>
#include <sortie/text_keys.hpp>

#include "base/utf8.hpp"
#include "fuzz/fuzz_target.hpp"
#include "record/text/normal_form.hpp"
#include "record/text/share_key.hpp"

namespace sortie {
namespace {

std::string normal(std::string_view text, const NormalForm& form) {
  std::string out;
  append_normal_form(text, form, out);
  return out;
}

void check_form(std::string_view text, unsigned bits) {
  const NormalForm form{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
  const std::string made = normal(text, form);
  if (!is_utf8(text)) return;
  fuzz::require(is_utf8(made), "text stays text");
  // Folding and NFKC together may take another turn, and what is left without punctuation may combine.
  const bool is_stable = !form.punctuation && !(form.nfkc && form.case_fold);
  if (is_stable) fuzz::require(normal(made, form) == made, "a normal form has itself as its form");
  if (!form.is_wanted()) fuzz::require(made == text, "without parts nothing changes");
}

void check_shares(std::string_view text) {
  try {
    const auto shares = parse_shares(text);
    fuzz::require(share_of_text(text, shares) < shares.size(), "each text has a share");
  } catch (const Error&) {
  }
}

}  // namespace
}  // namespace sortie

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sortie::fuzz::InputReader input(data, size);
  const unsigned bits = input.byte();
  const std::string_view text = input.rest();
  sortie::check_form(text, bits);
  sortie::check_shares(text);
  return 0;
}
