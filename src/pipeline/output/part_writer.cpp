#include "pipeline/output/part_writer.hpp"

namespace sortie {

void PartWriter::write(std::span<const std::byte> part) {
  const auto span = observer_.span("write", part.size());
  output_.write(part);
}

void PartWriter::begin(std::span<const std::byte> part) {
  wait();
  written_ = thread_.post([this, part] { write(part); });
}

void PartWriter::wait() {
  if (written_.valid()) written_.get();
}

}  // namespace sortie
