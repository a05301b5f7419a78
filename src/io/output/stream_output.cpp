#include "io/output/stream_output.hpp"

#include "io/files/sigpipe_block.hpp"

namespace sortie {

void ReportOutput::write(std::span<const std::byte> bytes) {
  const SigpipeBlock block;
  target().write(bytes);
}

}  // namespace sortie
