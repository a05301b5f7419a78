#include "record/text/share_key.hpp"

#include <string>

#include <sortie/error.hpp>
#include <sortie/text_keys.hpp>

#include "base/quote.hpp"
#include "base/whole_number.hpp"
#include "record/text/byte_words.hpp"
#include "record/text/random_key.hpp"

namespace sortie {
namespace {

constexpr std::size_t kMostShares = 100;
constexpr std::size_t kShareDigits = 9;  // of a fraction: billionths

/// A decimal number from 0 to 1, exactly; nothing if it is none.
std::optional<std::uint32_t> billionths(std::string_view text) {
  const std::string_view whole = take_until(text, '.');
  if (whole.empty() && text.empty()) return std::nullopt;
  if (text.size() > kShareDigits) return std::nullopt;
  std::string digits(whole.empty() ? "0" : whole);
  digits.append(text).append(kShareDigits - text.size(), '0');
  for (const char digit : digits) {
    if (!is_digit(digit)) return std::nullopt;
  }
  const auto number = whole_number<std::uint32_t>(digits);
  return number && *number <= kWholeOfShares ? number : std::nullopt;
}

}  // namespace

std::size_t share_of_text(std::string_view text, std::span<const Share> shares) {
  const auto place =
      static_cast<std::uint64_t>(static_cast<unsigned __int128>(first_of_md5(text)) * kWholeOfShares >> 64);
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    end += shares[i].billionths;
    if (place < end) return i;
  }
  return shares.size() - 1;
}

std::vector<Share> parse_shares(std::string_view list) {
  std::vector<Share> shares;
  std::uint64_t sum = 0;
  for (const std::string_view word : split(list, ',')) {
    const std::size_t equals = word.find('=');
    const auto part = equals == std::string_view::npos ? std::nullopt : billionths(word.substr(equals + 1));
    if (equals == 0 || !part) {
      throw Error("share " + quote_word(word) +
                  ": write NAME=SHARE with a number from 0 to 1 of at most 9 digits behind the point, as train=0.98");
    }
    const std::string name(word.substr(0, equals));
    for (const Share& share : shares) {
      if (share.name == name) throw Error("the share " + quote_word(name) + " is named twice: each has one number");
    }
    shares.push_back({name, *part});
    sum += *part;
  }
  if (shares.size() > kMostShares) throw Error("at most " + std::to_string(kMostShares) + " shares are possible");
  if (sum != kWholeOfShares) {
    throw Error("the shares " + quote_word(list) + " do not add up to 1: change one of them");
  }
  return shares;
}

}  // namespace sortie
