// Length-prefixed records: keys and payloads of random lengths within bounds, of any bytes. A key begins with its code,
// and all of it follows from that, so that equal codes give equal keys.
#include <algorithm>

#include "base/bytes.hpp"
#include "record/prefixed/prefixed_records.hpp"
#include "tools/gen/mix.hpp"
#include "tools/gen/record_source.hpp"

namespace sortie::tools {
namespace {

class PrefixedSource final : public VariousSource {
 public:
  explicit PrefixedSource(const DataSet& data_set)
      : VariousSource(data_set, {.framing = Framing::kPrefixed},
                      PrefixedHeader::kBytes + middle_of(data_set.key_bytes) + middle_of(data_set.payload_bytes)),
        key_bytes_(data_set.key_bytes),
        payload_bytes_(data_set.payload_bytes) {}

 private:
  static std::uint64_t middle_of(const LengthBounds& bounds) { return bounds.least + (bounds.most - bounds.least) / 2; }

  static std::uint32_t length_within(const LengthBounds& bounds, MixStream& random) {
    return static_cast<std::uint32_t>(bounds.least + random.below(bounds.most - bounds.least + 1));
  }

  static void append_random(MixStream& random, std::size_t size, std::string& bytes) {
    for (std::size_t done = 0; done < size; done += sizeof(std::uint64_t)) {
      append_number(random.next(), std::min(size - done, sizeof(std::uint64_t)), bytes);
    }
  }

  static void append_number(std::uint64_t number, std::size_t size, std::string& bytes) {
    char word[sizeof number];
    store_as(word, number);
    bytes.append(word, size);
  }

  void append_record(std::uint64_t position, std::uint64_t code, std::string& records) const override {
    MixStream key_rest(keys().kind() == Distribution::kPrefix ? keys().random(position) : code);
    MixStream payload(~keys().random(position));
    PrefixedHeader header;
    // Keys of different lengths that are cut short would not keep the order of their codes.
    header.key_bytes =
        keys().ordered() ? static_cast<std::uint32_t>(key_bytes_.most) : length_within(key_bytes_, key_rest);
    header.payload_bytes = length_within(payload_bytes_, payload);
    append_number(header.key_bytes, sizeof header.key_bytes, records);
    append_number(header.payload_bytes, sizeof header.payload_bytes, records);
    const std::size_t code_bytes = std::min<std::size_t>(header.key_bytes, sizeof code);
    append_number(byte_swap(code), code_bytes, records);
    append_random(key_rest, header.key_bytes - code_bytes, records);
    append_random(payload, header.payload_bytes, records);
  }

  LengthBounds key_bytes_;
  LengthBounds payload_bytes_;
};

}  // namespace

std::unique_ptr<RecordSource> make_prefixed_source(const DataSet& data_set) {
  return std::make_unique<PrefixedSource>(data_set);
}

}  // namespace sortie::tools
