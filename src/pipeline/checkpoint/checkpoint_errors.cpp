#include "pipeline/checkpoint/checkpoint_errors.hpp"

#include <sortie/error.hpp>

#include "base/quote.hpp"

namespace sortie {

std::string remedy_to_begin_anew(const CheckpointLocation& location) {
  return location.holds_other_files ? "name another directory"
                                    : "remove the directory " + quote_word(location.directory) + " to sort anew";
}

void refuse_checkpoint(const CheckpointLocation& location, const std::string& reason, const std::string& remedy) {
  throw Error("checkpoint " + quote_word(location.directory) + " cannot be used: " + reason + "; " + remedy);
}

void refuse_damaged(const CheckpointLocation& location, const std::string& reason) {
  refuse_checkpoint(location, reason, remedy_to_begin_anew(location));
}

}  // namespace sortie
