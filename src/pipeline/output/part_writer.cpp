#include "pipeline/output/part_writer.hpp"

#include <utility>

namespace sortie {

void PartWriter::write(std::span<const std::byte> part) {
  const auto span = observer_.span("write", part.size());
  output_.write(part);
}

void PartWriter::begin(std::span<const std::byte> part) {
  wait();
  if (!worker_) worker_.emplace([this] { write_all(); }, [this] { close(); });
  parts_.push(part);
  is_writing_ = true;
}

void PartWriter::wait() {
  if (std::exchange(is_writing_, false) && !written_.pop()) worker_->join();
}

void PartWriter::close() {
  parts_.close();
  written_.close();
}

void PartWriter::write_all() {
  observer_.name_thread("output writer");
  while (const auto part = parts_.pop()) {
    write(*part);
    written_.push(true);
  }
}

}  // namespace sortie
