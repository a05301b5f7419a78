#include "pipeline/scan/best_of_equal.hpp"

#include <utility>

namespace sortie {
namespace {

/// Only bytes tell which key is less, so text has no locale here.
Format ordered_by(Format format, const TextKey& key) {
  format.shuffle = false;
  format.descending = false;
  format.text.locale = format.text.locale && key.kind != TextKind::kText;
  format.text.keys = {key};
  format.text.last_resort = false;
  return format;
}

}  // namespace

BestOfEqual::BestOfEqual(Format format, const TextKey& key) : codec_(ordered_by(std::move(format), key), true) {}

BestOfEqual::Key BestOfEqual::key_of(Record record, EncodedLines& scratch) const {
  scratch.clear();
  codec_.encode(record, 0, scratch);
  const Record keys = codec_.keys(scratch.bytes());
  return {keys.begin(), keys.end()};
}

}  // namespace sortie
