// Records with keys longer than the prefix and many ties, on the host and in device memory.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "kernels/device_array.hpp"
#include "kernels/record_keys.hpp"

namespace sortie::kernels {

struct TestRecords {
  KeyPlan plan;
  std::vector<std::byte> bytes;
  std::uint64_t record_bytes = 0;
  std::vector<std::uint64_t> offsets;  ///< for lines only

  std::uint64_t count() const { return record_bytes != 0 ? bytes.size() / record_bytes : offsets.size() - 1; }
  RecordKeys host_keys() const { return {plan, bytes.data(), record_bytes, offsets.data()}; }
};

/// The same records in device memory.
class DeviceRecords {
 public:
  DeviceRecords(const TestRecords& records, const CudaStream& stream)
      : plan_(records.plan),
        record_bytes_(records.record_bytes),
        bytes_(records.bytes, stream),
        offsets_(records.offsets, stream) {}

  RecordKeys keys() const { return {plan_, bytes_.data(), record_bytes_, offsets_.data()}; }
  const std::byte* bytes() const { return bytes_.data(); }
  const std::uint64_t* offsets() const { return offsets_.data(); }

 private:
  KeyPlan plan_;
  std::uint64_t record_bytes_;
  DeviceArray<std::byte> bytes_;
  DeviceArray<std::uint64_t> offsets_;
};

/// Records that begin with a key of `key_bytes`, whose bytes are nearly always the same. A few bytes outside the key
/// follow.
inline TestRecords few_valued_records(std::uint64_t count, std::uint32_t key_bytes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  TestRecords records;
  records.record_bytes = key_bytes + 3;
  records.plan.part_count = 1;
  records.plan.key_bytes = key_bytes;
  records.plan.parts[0].bytes = key_bytes;
  records.bytes.resize(count * records.record_bytes);
  for (std::uint64_t i = 0; i < records.bytes.size(); ++i) {
    records.bytes[i] = static_cast<std::byte>(random() % 16 == 0 ? random() % 3 : 7);
  }
  return records;
}

/// Lines of 0 to `longest` bytes of a small alphabet with zero bytes in it, each ended by a newline.
inline TestRecords few_valued_lines(std::uint64_t count, std::uint64_t longest, bool descending, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  TestRecords records;
  records.plan.whole_line = true;
  records.plan.descending_line = descending;
  records.offsets.push_back(0);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t length = random() % 4 == 0 ? random() % (longest + 1) : longest / 2 + random() % 2;
    for (std::uint64_t k = 0; k < length; ++k) {
      records.bytes.push_back(static_cast<std::byte>(random() % 12 == 0 ? random() % 3 : 0));
    }
    records.bytes.push_back(std::byte{'\n'});
    records.offsets.push_back(records.bytes.size());
  }
  return records;
}

}  // namespace sortie::kernels
