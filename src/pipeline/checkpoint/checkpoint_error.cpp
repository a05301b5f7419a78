#include "pipeline/checkpoint/checkpoint_error.hpp"

#include <sortie/error.hpp>

#include "base/quote.hpp"

namespace sortie {

std::string remedy_to_begin_anew(const CheckpointPlace& place) {
  return place.holds_other_files ? "name another directory"
                                 : "remove the directory " + quote_word(place.directory) + " to sort anew";
}

void refuse_checkpoint(const CheckpointPlace& place, const std::string& reason, const std::string& remedy) {
  throw Error("checkpoint " + quote_word(place.directory) + " cannot be used: " + reason + "; " + remedy);
}

void refuse_damaged(const CheckpointPlace& place, const std::string& reason) {
  refuse_checkpoint(place, reason, remedy_to_begin_anew(place));
}

}  // namespace sortie
