#include "pipeline/ties/tie_ranks.hpp"

#include "record/record_scan.hpp"

namespace sortie {

void TieRanks::fill_in(std::span<std::byte> part) {
  if (part.empty()) return;
  Record before = last_;
  for_each_record(order_.layout(), part, [&](const std::byte* data, std::uint64_t stored) {
    const auto offset = static_cast<std::size_t>(data - part.data());
    const std::span<std::byte> line = part.subspan(offset, static_cast<std::size_t>(stored));
    order_.rank_behind(before, line);
    before = line;
  });
  last_.assign(before.begin(), before.end());
}

}  // namespace sortie
