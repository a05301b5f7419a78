#include "pipeline/output/part_writer.hpp"

namespace sortie {

PartWriter::PartWriter(Output& output, Observer& observer)
    : output_(output), observer_(observer), worker_([this] { write_all(); }, [this] { close(); }) {}

PartWriter::~PartWriter() { close(); }

void PartWriter::begin(std::span<const std::byte> part) { parts_.push(part); }

void PartWriter::wait() {
  if (!written_.pop()) worker_.join();
}

void PartWriter::close() {
  parts_.close();
  written_.close();
}

void PartWriter::write_all() {
  observer_.name_thread("output writer");
  while (const auto part = parts_.pop()) {
    {
      const auto span = observer_.span("write", part->size());
      output_.write(*part);
    }
    written_.push(true);
  }
}

}  // namespace sortie
