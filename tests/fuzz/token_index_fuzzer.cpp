// Reads any bytes as the index of a token file of Megatron, and as the header of a .npy file: what is not refused tells
// of documents that cover all tokens, and is written again as it was.
//
//   | bytes of tokens, 2 | the file |
#include <map>
#include <memory>
#include <stdexcept>

#include "formats/tokens/megatron_index.hpp"
#include "formats/tokens/npy_header.hpp"
#include "fuzz/fuzz_target.hpp"
#include "support/memory_file_system.hpp"

namespace sortie {
namespace {

using fuzz::require;

class TextOutput final : public Output {
 public:
  void write(std::span<const std::byte> bytes) override {
    text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  void expect(std::uint64_t) override {}
  void write_around_cache() override {}
  void finish() override {}

  std::string text;
};

void check_index(std::string_view bytes, std::uint64_t token_bytes) {
  const auto contents = std::make_shared<std::string>(bytes);
  formats::tokens::MegatronIndex index(std::make_unique<test::MemoryFile>("fuzzed.idx", contents), token_bytes);
  const auto files = make_posix_file_system();
  ScratchSpace scratch(*files, {});
  formats::tokens::MegatronIndexWriter writer(scratch);
  std::uint64_t end = 0;
  while (const auto document = index.next()) {
    require(document->begin == end, "documents are one behind the other");
    std::uint64_t tokens = 0;
    for (const std::int32_t length : document->lengths) tokens += static_cast<std::uint64_t>(length);
    require(tokens * index.type().bytes == document->bytes, "a document is as long as its sequences");
    end += document->bytes;
    writer.add(document->lengths);
  }
  require(end == token_bytes, "documents cover all tokens");
  TextOutput output;
  writer.write(index.type(), output);
  require(output.text == bytes, "an index is written as it was read");
}

void check_array(std::string_view bytes) {
  const auto header = formats::tokens::read_npy_header(fuzz::as_bytes(bytes), bytes.size(), "fuzzed.npy");
  require(header.header_bytes <= bytes.size(), "the header lies in the file");
  const std::string text = formats::tokens::npy_header_text(header);
  const std::uint64_t size = text.size() + bytes.size() - header.header_bytes;
  const auto again = formats::tokens::read_npy_header(fuzz::as_bytes(text), size, "fuzzed.npy");
  require(again.type == header.type && again.rows == header.rows && again.columns == header.columns,
          "a header that is written is read as it was");
}

void check(fuzz::InputReader input) {
  const std::uint64_t token_bytes = input.number();
  const std::string_view bytes = input.rest();
  if (formats::tokens::begins_npy(fuzz::as_bytes(bytes))) {
    check_array(bytes);
  } else {
    check_index(bytes, token_bytes);
  }
}

}  // namespace
}  // namespace sortie

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return sortie::fuzz::check_unless_refused(&sortie::check, {data, size});
}
