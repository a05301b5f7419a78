#include "table/number_keys.hpp"

#include <cstring>
#include <vector>

#include "table/key_values.hpp"

namespace sortie::table {

void write_fixed(const KeyColumn& key, const KeySource& source, std::byte** cursors) {
  const std::uint64_t complement = complement_of(key);
  const auto null_fill = static_cast<int>(key.nulls_first ? 0x00 : 0xFF);
  const std::byte null_flag{static_cast<unsigned char>(key.nulls_first ? 0 : 1)};
  const std::byte value_flag{static_cast<unsigned char>(key.nulls_first ? 1 : 0)};
  visit_values(*key.type, *source.values, [&](const auto& code, const auto& value_at) {
    for_each_value(
        source,
        [&](std::size_t row, std::int64_t position) {
          std::byte* const out = cursors[row];
          code.encode(value_at(position), out, complement);
          out[code.bytes()] = value_flag;
          cursors[row] = out + code.bytes() + 1;
        },
        [&](std::size_t row) {
          std::memset(cursors[row], null_fill, code.bytes());
          cursors[row][code.bytes()] = null_flag;
          cursors[row] += code.bytes() + 1;
        });
  });
}

void read_fixed(const KeyColumn& key, std::size_t count, const std::byte** cursors, ColumnData& column) {
  const std::uint64_t complement = complement_of(key);
  const std::byte value_flag{static_cast<unsigned char>(key.nulls_first ? 1 : 0)};
  FixedValues values(*key.type, count, column);
  std::vector<std::uint8_t> valid(count);
  visit_code(*key.type, [&](auto code) {
    for (std::size_t row = 0; row < count; ++row) {
      const std::byte* const in = cursors[row];
      cursors[row] = in + code.bytes() + 1;
      valid[row] = in[code.bytes()] == value_flag ? 1 : 0;
      code.decode(in, values.at(row), complement);
      if (valid[row] == 0 && code.bytes() > 0) std::memset(values.at(row), 0, code.bytes());
    }
  });
  values.finish(valid);
}

void measure_led(const KeyColumn& key, const KeySource& source, std::uint64_t* sizes) {
  const std::uint32_t width = key.type->width;
  for_each_value(
      source, [&](std::size_t row, std::int64_t) { sizes[row] += 1 + width; }, [&](std::size_t row) { ++sizes[row]; });
}

void write_led(const KeyColumn& key, const KeySource& source, std::byte** cursors) {
  const std::uint64_t complement = complement_of(key);
  const std::byte null = null_lead(key);
  visit_values(*key.type, *source.values, [&](const auto& code, const auto& value_at) {
    for_each_value(
        source,
        [&](std::size_t row, std::int64_t position) {
          *cursors[row] = kValue;
          code.encode(value_at(position), cursors[row] + 1, complement);
          cursors[row] += 1 + code.bytes();
        },
        [&](std::size_t row) { *cursors[row]++ = null; });
  });
}

void read_led(const KeyColumn& key, std::size_t count, const std::byte** cursors, ColumnData& column) {
  const std::uint64_t complement = complement_of(key);
  FixedValues values(*key.type, count, column);
  std::vector<std::uint8_t> valid(count);
  visit_code(*key.type, [&](auto code) {
    for (std::size_t row = 0; row < count; ++row) {
      valid[row] = *cursors[row]++ == kValue ? 1 : 0;
      if (valid[row] != 0) {
        code.decode(cursors[row], values.at(row), complement);
        cursors[row] += code.bytes();
      } else if (code.bytes() > 0) {
        std::memset(values.at(row), 0, code.bytes());
      }
    }
  });
  values.finish(valid);
}

}  // namespace sortie::table
