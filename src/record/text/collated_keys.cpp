// What the record codec knows of keys with ranks: their texts, and how lines compare by them.
#include <algorithm>
#include <cstring>

#include "record/collation/collated_text.hpp"
#include "record/text/line_reference.hpp"
#include "record/text/record_codec_impl.hpp"

namespace sortie {

const LocaleHandle& RecordCodec::locale() const { return impl_->surroundings.locale.handle; }

bool RecordCodec::is_descending(std::size_t rank) const {
  const std::size_t key = layout_.collated_key(rank);
  if (key == impl_->steps.size()) return impl_->line_descending;
  return impl_->steps[key].key().descending != impl_->lines.descending;
}

std::string_view RecordCodec::collated_text(Record encoded, std::size_t rank, KeyTextScratch& scratch) const {
  if (impl_->group) {
    const std::size_t key = layout_.collated_key(rank);
    const std::string_view state = group_state(encoded, scratch.record);
    return impl_->steps[key].counting_text(key_text_of_group(state, key), scratch.field);
  }
  Record line;
  if (!keeps_lines_whole()) {
    scratch.record.assign(encoded.begin(), encoded.end());
    line = restore(scratch.record);
  } else {
    line = decode(encoded);
  }
  const std::size_t key = layout_.collated_key(rank);
  if (key == impl_->steps.size()) return text_of_line(line);
  FieldFinder::Fields fields;
  impl_->finder.find(impl_->text_of(line), fields, scratch.unquoted);
  const KeyStep& step = impl_->steps[key];
  return step.counting_text(impl_->finder.key_text(fields, step.key()), scratch.field);
}

int RecordCodec::compare_keys(Record a, Record b) const {
  std::size_t at_a = 0;
  std::size_t at_b = 0;
  std::size_t rank = 0;
  for (std::size_t key = 0; key < layout_.size(); ++key) {
    const std::size_t end_of_a = layout_.behind_key(layout_.behind_mark(a, at_a, key), key);
    const std::size_t end_of_b = layout_.behind_key(layout_.behind_mark(b, at_b, key), key);
    const int order = std::memcmp(a.data() + at_a, b.data() + at_b, std::min(end_of_a - at_a, end_of_b - at_b));
    if (order != 0) return order;
    at_a = end_of_a;
    at_b = end_of_b;
    if (!layout_.is_collated(key)) continue;
    if (load_rank(a.data() + at_a - kRankBytes) == kNoRank) {
      if (const int tie = compare_texts(a, b, rank); tie != 0) return tie;
    }
    ++rank;
  }
  return 0;
}

int RecordCodec::compare_texts(Record a, Record b, std::size_t rank) const {
  KeyTextScratch scratch_a;
  KeyTextScratch scratch_b;
  const std::string_view text_a = collated_text(a, rank, scratch_a);
  const std::string_view text_b = collated_text(b, rank, scratch_b);
  const int order = compare_collated(locale(), text_a, text_b);
  return is_descending(rank) ? -order : order;
}

}  // namespace sortie
