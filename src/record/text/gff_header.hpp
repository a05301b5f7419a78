// Headers of GFF and GTF as one: the lines of the first, and behind them those of the others that it does not have.
// Used by the pipeline where the header of each input is read.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sortie {

class GffHeader {
 public:
  explicit GffHeader(std::string_view header);

  /// Adds the lines of another header that are new. Returns what the headers contradict each other in, the version or
  /// the extent of a sequence; the line that is here stays. "it has '##gff-version 2', not '##gff-version 3'"
  std::optional<std::string> add(std::string_view header);

  /// The merged header.
  std::string text() const;

 private:
  std::string_view line_end_;
  std::deque<std::string> texts_;  // of the lines
  std::vector<std::string_view> lines_;
  std::unordered_map<std::string_view, std::string_view> by_subject_;
};

}  // namespace sortie
