#include "record/text/collation_key.hpp"

#include <optional>

#include "record/collation/backward_elements.hpp"
#include "record/collation/collation_levels.hpp"
#include "record/collation/collation_table.hpp"
#include "record/collation/plain_collation.hpp"
#include "record/collation/transformed_text.hpp"

namespace sortie {

struct CollationKeys::Learned {
  BackwardElements backward;
  CollationTable table;
};

CollationKeys::CollationKeys() {
  auto learned = std::make_unique<Learned>();
  if (std::optional<CollationTable> table = learn_collation_table(learned->backward)) {
    learned->table = *std::move(table);
    learned_ = std::move(learned);
  }
}

CollationKeys::~CollationKeys() = default;

void CollationKeys::append(std::string_view text, std::string& out) const {
  if (learned_ == nullptr) {
    append_transformed(text, out);
  } else if (!text.empty() && !append_plain_collation(learned_->table, text, out)) {
    for_each_piece(text, [&](std::string_view piece) { append_piece(piece, out); });
  }
}

void CollationKeys::append_piece(std::string_view piece, std::string& out) const {
  std::string transformed;
  append_transformed_piece(std::string(piece), transformed);
  const std::string second = learned_->backward.seen_weights(piece, split_levels(transformed)[1]);
  append_collation_levels(learned_->table, transformed, second, out);
}

}  // namespace sortie
