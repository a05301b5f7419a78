#include "cuda/host/host_plan.hpp"

#include <algorithm>
#include <numeric>

#include "base/size.hpp"

namespace sortie::cuda {

std::uint64_t most_items(std::uint64_t room_bytes, std::uint64_t limit,
                         FunctionRef<std::uint64_t(std::uint64_t)> bytes_of) {
  std::uint64_t fits = 0;
  std::uint64_t too_many = limit + 1;
  while (too_many - fits > 1) {
    const std::uint64_t tried = fits + (too_many - fits) / 2;
    (bytes_of(tried) <= room_bytes ? fits : too_many) = tried;
  }
  return fits;
}

std::vector<std::uint64_t> share_by_room(std::uint64_t count, std::span<const std::uint64_t> rooms,
                                         std::uint64_t least_share) {
  std::vector<std::size_t> by_room(rooms.size());
  std::iota(by_room.begin(), by_room.end(), std::size_t{0});
  // Those with the least room come first: what they cannot take is divided among the others.
  std::ranges::stable_sort(by_room, {}, [&](std::size_t i) { return rooms[i]; });
  std::vector<std::uint64_t> shares(rooms.size(), 0);
  std::uint64_t left = count;
  for (std::size_t k = 0; k < by_room.size(); ++k) {
    const std::uint64_t even = divide_up(left, by_room.size() - k);
    shares[by_room[k]] = std::min({left, std::max(even, least_share), rooms[by_room[k]]});
    left -= shares[by_room[k]];
  }
  if (left != 0) shares.clear();
  return shares;
}

std::vector<std::uint64_t> ranks_of_pieces(std::uint64_t count, std::uint64_t piece) {
  std::vector<std::uint64_t> ranks;
  for (std::uint64_t rank = 0; rank < count; rank += piece) ranks.push_back(rank);
  ranks.push_back(count);
  return ranks;
}

}  // namespace sortie::cuda
