#include "pipeline/checkpoint/checkpoint_error.hpp"

#include <sortie/error.hpp>
#include <sortie/quote.hpp>

namespace sortie {

std::string remedy_to_begin_anew(const std::string& directory) {
  return "remove the directory " + quote_word(directory) + " to sort anew";
}

void refuse_checkpoint(const std::string& directory, const std::string& reason, const std::string& remedy) {
  throw Error("checkpoint " + quote_word(directory) + " cannot be used: " + reason + "; " + remedy);
}

}  // namespace sortie
