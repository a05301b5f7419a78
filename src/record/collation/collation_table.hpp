// What single bytes weigh in the current locale, learned from strxfrm(), as far as texts of them weigh what their bytes
// do one after the other. Made once; both ways to a collation key, from bytes and from strxfrm(), follow it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "record/collation/backward_elements.hpp"
#include "record/collation/collation_weight.hpp"
#include "record/collation/sign_runs.hpp"
#include "record/collation/weight_code.hpp"

namespace sortie {

/// What a byte adds to a collation key.
struct alignas(4) PlainByte {
  enum Kind : std::uint8_t {
    kWeighted = 1,  ///< one weight on each level; otherwise one on the last level only
    kUpper = 2,     ///< `upper` on the third level
    kBackward = 4,  ///< see BackwardElements
    kStrange = 8,   ///< not described here: texts with it need strxfrm()
  };
  std::uint8_t first = 0;  ///< code on the first level, if weighted
  std::uint8_t last = 0;   ///< code on the last level, if not weighted
  std::uint8_t kind = kStrange;
};

inline constexpr Weight kNotForetold = ~Weight{0};  ///< greater than any weight

struct CollationTable {
  std::array<PlainByte, 256> bytes{};
  WeightCode first_code;  ///< of the first level
  WeightCode last_code;   ///< of the last level, for weights that cannot be foretold
  SignRuns sign_runs;     ///< of the last level
  Weight second = 0;      ///< of all weighted bytes
  Weight lower = 0;       ///< the third level of some weighted bytes
  Weight upper = 0;       ///< and of all others; greater
  /// The weights on the last level of weighted bytes, by their code on the first and whether they are `upper`.
  std::array<std::array<Weight, 2>, 256> last_weights{};
  Weight least_last_weight = kNotForetold;

  /// The weight on the last level of the plain byte with these on the first and third; kNotForetold if there is none.
  Weight foretell_last(Weight first, Weight third) const {
    return third == lower || third == upper ? last_weights[first_code.byte_of(first)][third == upper] : kNotForetold;
  }
};

/// None if even letters are not plain in this locale, or its C library is of another kind.
std::optional<CollationTable> learn_collation_table(const BackwardElements& backward);

}  // namespace sortie
