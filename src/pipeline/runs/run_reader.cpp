#include "pipeline/runs/run_reader.hpp"

#include <tbb/parallel_for.h>

#include <string>
#include <vector>

namespace sortie {

PieceSource::Piece RunReader::read(std::span<std::byte> target, std::uint64_t) {
  if (at_end()) return {Status::kEnd};
  Piece piece{Status::kRecords};
  std::vector<std::span<std::byte>> places;
  for (std::size_t block = next_; block < run_.blocks.size(); ++block) {
    const BlockInfo& info = run_.blocks[block];
    if (info.record_bytes > target.size() - piece.bytes) break;
    places.push_back(target.subspan(piece.bytes, static_cast<std::size_t>(info.record_bytes)));
    piece.bytes += places.back().size();
    piece.records += info.record_count;
  }
  if (places.empty()) return {Status::kTooSmall, target.size()};
  tbb::parallel_for(std::size_t{0}, places.size(), [&](std::size_t i) {
    read_block(run_, next_ + i, places[i]);
    run_.storage->release(run_.blocks[next_ + i].offset, run_.blocks[next_ + i].stored_bytes);
  });
  next_ += places.size();
  piece.input_bytes = piece.bytes;
  return piece;
}

std::string RunReader::position() const {
  return "run " + std::to_string(run_.identity.run_number) + " at block " + std::to_string(next_);
}

}  // namespace sortie
