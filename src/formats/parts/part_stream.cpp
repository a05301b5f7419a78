#include "formats/parts/part_stream.hpp"

#include "record/prefixed/prefixed_records.hpp"

namespace sortie::formats {

PartStream::PartStream(const JobContext& context, PartTarget& target, std::uint64_t frame_bytes,
                       std::optional<std::uint64_t> total_bytes)
    : parts_(context.options.parts),
      target_(target),
      frame_bytes_(frame_bytes),
      scratch_(context.files, context.options.scratch_directories) {
  if (parts_.count != 0 && !total_bytes) {
    waiting_.emplace(scratch_, layout_, false);
  } else {
    cuts_.emplace(parts_, frame_bytes, total_bytes.value_or(0));
  }
}

void PartStream::write(std::span<const std::byte> records) {
  if (!waiting_) return distribute(records);
  for_each_prefixed_record(records, [&](const std::byte* data, std::uint64_t stored) {
    waiting_bytes_ += target_.bytes_of({data, static_cast<std::size_t>(stored)});
    ++records_;
  });
  waiting_->append(PartRecords(layout_, records));
}

void PartStream::distribute(std::span<const std::byte> records) {
  for_each_prefixed_record(records, [&](const std::byte* data, std::uint64_t stored) {
    const std::span<const std::byte> record(data, static_cast<std::size_t>(stored));
    begin_up_to(cuts_->next(target_.bytes_of(record)));
    target_.write_record(record);
    ++records_;
  });
}

// Those that are skipped hold nothing.
void PartStream::begin_up_to(std::uint64_t number) {
  while (files_ <= number) {
    if (is_open_) target_.end_file();
    target_.begin_file(files_++);
    is_open_ = true;
  }
}

void PartStream::finish() {
  if (waiting_) {
    cuts_.emplace(parts_, frame_bytes_, waiting_bytes_);
    records_ = 0;
    waiting_->release([this](const PartRecords& records) { distribute(records.bytes()); });
  }
  const std::uint64_t least = parts_.are_wanted() ? parts_.count : 1;
  if (least > 0) begin_up_to(least - 1);
  if (is_open_) target_.end_file();
  is_open_ = false;
}

}  // namespace sortie::formats
