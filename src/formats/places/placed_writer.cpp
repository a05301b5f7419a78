#include "formats/places/placed_writer.hpp"

namespace sortie::formats {
namespace {

constexpr std::uint64_t kShareOfCopies = 2;

}  // namespace

PlacedWriter::PlacedWriter(const JobContext& context, PlacedFiles& files, const PartFiles::Form& form)
    : context_(context), parts_(context, form), copier_(files, context.buffer_bytes / kShareOfCopies), files_(files) {}

void PlacedWriter::begin_stream(std::uint64_t frame_bytes, std::optional<std::uint64_t> total_bytes) {
  PartTarget& target = *this;
  if (total_bytes) parts_.expect(frame_bytes + *total_bytes);
  stream_.emplace(context_, target, frame_bytes, total_bytes);
}

void PlacedWriter::end_stream() {
  stream_->finish();
  copier_.finish();
  files_.check();
}

}  // namespace sortie::formats
