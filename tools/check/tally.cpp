#include "tools/check/tally.hpp"

#include "base/checksum.hpp"
#include "record/record_scan.hpp"
#include "record/word_reader.hpp"
#include "tools/common/record_checksum.hpp"

namespace sortie::tools {

void Tally::note_order(int previous_to_current, std::uint64_t record) {
  if (previous_to_current == 0) ++duplicates;
  if (previous_to_current <= 0) return;
  if (unordered++ == 0) first_unordered = record;
}

Tally& Tally::operator+=(const Tally& next) {
  if (unordered == 0 && next.unordered != 0) first_unordered = records + next.first_unordered;
  records += next.records;
  bytes += next.bytes;
  checksum += next.checksum;
  duplicates += next.duplicates;
  unordered += next.unordered;
  return *this;
}

Tally tally_contents(const Layout& layout, std::span<const std::byte> records) {
  Tally tally;
  tally.records = count_records(layout, records);
  tally.bytes = records.size();
  tally.checksum = record_checksum(layout, records);
  return tally;
}

Tally tally_order(const CheckedOrder& order, std::span<const std::byte> records) {
  const Layout& layout = order.layout();
  const WordReader prefix_of(order.keys(), records, 0);
  Tally tally;
  Record previous;
  std::uint64_t previous_prefix = 0;
  for_each_record(layout, records, [&](const std::byte* bytes, std::uint64_t stored) {
    const Record record{bytes, static_cast<std::size_t>(stored)};
    const Record key = order.key_of(record);
    const std::uint64_t prefix = prefix_of(key.data(), key.size());
    if (tally.records != 0 && previous_prefix >= prefix) {
      const bool tie = previous_prefix == prefix;
      tally.note_order(!tie ? 1 : order.compare(previous, record, 1), tally.records);
    }
    previous = record;
    previous_prefix = prefix;
    tally.checksum += Checksum{record_crc32(record), 0};
    ++tally.records;
  });
  tally.bytes = records.size();
  return tally;
}

}  // namespace sortie::tools
