#include <cstring>
#include <numeric>
#include <string_view>
#include <vector>

#include "table/array_parts.hpp"
#include "table/nested_values.hpp"

namespace sortie::table {
namespace {

/// Counts bytes.
class Measure {
 public:
  explicit Measure(std::uint64_t* sizes) : sizes_(sizes) {}

  void put(std::uint32_t slot, const void*, std::size_t count) { sizes_[slot] += count; }
  void put_count(std::uint32_t slot, std::uint64_t count) { sizes_[slot] += count_bytes(count); }
  void put_bits(std::uint32_t slot, const std::byte*, std::int64_t, std::int64_t count) {
    sizes_[slot] += static_cast<std::uint64_t>((count + 7) / 8);
  }

 private:
  std::uint64_t* sizes_;
};

/// Writes them.
class Write {
 public:
  explicit Write(std::byte** cursors) : cursors_(cursors) {}

  void put(std::uint32_t slot, const void* bytes, std::size_t count) {
    if (count > 0) std::memcpy(cursors_[slot], bytes, count);
    cursors_[slot] += count;
  }
  void put_count(std::uint32_t slot, std::uint64_t count) { cursors_[slot] = store_count(cursors_[slot], count); }
  void put_bits(std::uint32_t slot, const std::byte* bits, std::int64_t skipped, std::int64_t count) {
    std::byte* const out = cursors_[slot];
    const auto bytes = static_cast<std::size_t>((count + 7) / 8);
    std::memset(out, 0, bytes);
    for (std::int64_t i = 0; i < count; ++i) {
      if (bit_at(bits, skipped + i)) out[i / 8] |= static_cast<std::byte>(1U << (i % 8));
    }
    cursors_[slot] += bytes;
  }

 private:
  std::byte** cursors_;
};

/// Writes the values of one array, and calls itself for its children.
template <class Sink>
class NestedWriter {
 public:
  NestedWriter(Sink sink, const DictionarySet& dictionaries) : sink_(sink), dictionaries_(dictionaries) {}

  void part(const TableType& type, const ArrowArray& array, std::span<const WriteRange> ranges) {
    if (!type.has_validity()) return values(type, array, ranges);
    const std::byte* const bits = validity_of(type, array);
    std::vector<WriteRange> kept;
    kept.reserve(ranges.size());
    for (const WriteRange& range : ranges) {
      if (range.count > 0 && !put_nulls(array, bits, range)) kept.push_back(range);
    }
    values(type, array, kept);
  }

  void values(const TableType& type, const ArrowArray& array, std::span<const WriteRange> ranges) {
    switch (type.storage) {
      case Storage::kNull:
        return;
      case Storage::kBits:
        for (const WriteRange& range : ranges) {
          sink_.put_bits(range.slot, buffer_of(array, 1), array.offset + range.first, range.count);
        }
        return;
      case Storage::kFixed:
        return fixed(type, array, ranges);
      case Storage::kDictionary:
        return numbers(type, array, ranges);
      case Storage::kBinary:
      case Storage::kBinaryView:
        return visit_texts(type, array, [&](const auto& texts) { this->texts(type, array, ranges, texts); });
      case Storage::kList:
      case Storage::kListView:
        return lists(type, array, ranges);
      case Storage::kFixedList:
        return children(type, array, ranges, type.list_size);
      case Storage::kSparseUnion:
        type_ids(type, array, ranges);
        return children(type, array, ranges, 1);
      case Storage::kStruct:
        return children(type, array, ranges, 1);
      case Storage::kDenseUnion:
        type_ids(type, array, ranges);
        return dense_children(type, array, ranges);
      case Storage::kRunEnd:
        return runs(type, array, ranges);
    }
  }

 private:
  /// Whether all values are null, so that none is to be written.
  bool put_nulls(const ArrowArray& array, const std::byte* bits, const WriteRange& range) {
    const std::int64_t first = array.offset + range.first;
    const std::int64_t valid = bits == nullptr ? range.count : count_bits(bits, first, range.count);
    const std::uint8_t nulls = valid == range.count ? 0 : (valid == 0 ? 1 : 2);
    sink_.put(range.slot, &nulls, 1);
    if (nulls == 2) sink_.put_bits(range.slot, bits, first, range.count);
    return nulls == 1;
  }

  void fixed(const TableType& type, const ArrowArray& array, std::span<const WriteRange> ranges) {
    const std::byte* const values = buffer_of(array, 1);
    for (const WriteRange& range : ranges) {
      const auto position = static_cast<std::size_t>(array.offset + range.first);
      sink_.put(range.slot, values + position * type.width, static_cast<std::size_t>(range.count) * type.width);
    }
  }

  /// Calls visit(position, is_valid, slot) for every value.
  template <class Visit>
  void for_each(const TableType& type, const ArrowArray& array, std::span<const WriteRange> ranges,
                const Visit& visit) {
    const std::byte* const bits = validity_of(type, array);
    for (const WriteRange& range : ranges) {
      for (std::int64_t i = 0; i < range.count; ++i) {
        const std::int64_t position = array.offset + range.first + i;
        visit(position, bits == nullptr || bit_at(bits, position), range.slot);
      }
    }
  }

  template <class Texts>
  void texts(const TableType& type, const ArrowArray& array, std::span<const WriteRange> ranges, const Texts& texts) {
    for_each(type, array, ranges, [&](std::int64_t position, bool is_valid, std::uint32_t slot) {
      const std::string_view text = is_valid ? texts(position) : std::string_view();
      sink_.put_count(slot, text.size());
      sink_.put(slot, text.data(), text.size());
    });
  }

  void numbers(const TableType& type, const ArrowArray& array, std::span<const WriteRange> ranges) {
    const DictionaryValues& dictionary = dictionaries_.of(type);
    for_each(type, array, ranges, [&](std::int64_t position, bool is_valid, std::uint32_t slot) {
      std::uint32_t number = 0;
      if (is_valid) number = dictionary.number_at(type, array, position);
      sink_.put(slot, &number, sizeof number);
    });
  }

  void lists(const TableType& type, const ArrowArray& array, std::span<const WriteRange> ranges) {
    std::vector<WriteRange> elements;
    for_each(type, array, ranges, [&](std::int64_t position, bool is_valid, std::uint32_t slot) {
      const IndexRange extent = is_valid ? list_extent(type, array, position) : IndexRange();
      sink_.put_count(slot, static_cast<std::uint64_t>(extent.count));
      if (extent.count > 0) elements.push_back({extent.first, extent.count, slot});
    });
    part(type.children[0], *array.children[0], elements);
  }

  /// `factor`: elements of the children for each value.
  void children(const TableType& type, const ArrowArray& array, std::span<const WriteRange> ranges,
                std::int64_t factor) {
    std::vector<WriteRange> of_child(ranges.begin(), ranges.end());
    for (WriteRange& range : of_child) {
      range.first = (array.offset + range.first) * factor;
      range.count *= factor;
    }
    for (std::size_t i = 0; i < type.children.size(); ++i) part(type.children[i], *array.children[i], of_child);
  }

  void type_ids(const TableType& type, const ArrowArray& array, std::span<const WriteRange> ranges) {
    for_each(type, array, ranges,
             [&](std::int64_t position, bool, std::uint32_t) { known_child_at(type, array, position); });
    const std::byte* const ids = buffer_of(array, 0);
    for (const WriteRange& range : ranges) {
      sink_.put(range.slot, ids + array.offset + range.first, static_cast<std::size_t>(range.count));
    }
  }

  void dense_children(const TableType& type, const ArrowArray& array, std::span<const WriteRange> ranges) {
    std::vector<std::vector<WriteRange>> of_children(type.children.size());
    for_each(type, array, ranges, [&](std::int64_t position, bool, std::uint32_t slot) {
      of_children[known_child_at(type, array, position)].push_back({index_in_child(type, array, position), 1, slot});
    });
    for (std::size_t i = 0; i < type.children.size(); ++i) {
      part(type.children[i], *array.children[i], of_children[i]);
    }
  }

  /// Each run is encoded once, and copied to all rows that are in it.
  void runs(const TableType& type, const ArrowArray& array, std::span<const WriteRange> ranges) {
    std::vector<WriteRange> distinct;
    std::vector<std::uint32_t> run_of_value;
    RunWalk walk(type, array);
    for_each(type, array, ranges, [&](std::int64_t position, bool, std::uint32_t) {
      const std::int64_t run = walk(position - array.offset);
      if (distinct.empty() || distinct.back().first != run) {
        distinct.push_back({run, 1, static_cast<std::uint32_t>(distinct.size())});
      }
      run_of_value.push_back(static_cast<std::uint32_t>(distinct.size() - 1));
    });
    const EncodedParts parts = encode_parts(type.children[1], *array.children[1], distinct, dictionaries_);
    const std::uint32_t* run = run_of_value.data();
    for_each(type, array, ranges, [&](std::int64_t, bool, std::uint32_t slot) {
      const std::string_view part = parts[*run++];
      const auto size = static_cast<std::uint32_t>(part.size());
      sink_.put(slot, &size, sizeof size);
      sink_.put(slot, part.data(), part.size());
    });
  }

  Sink sink_;
  const DictionarySet& dictionaries_;
};

}  // namespace

void measure_values(const TableType& type, const ArrowArray& array, std::span<const WriteRange> ranges,
                    const DictionarySet& dictionaries, std::uint64_t* sizes) {
  NestedWriter(Measure(sizes), dictionaries).values(type, array, ranges);
}

void write_values(const TableType& type, const ArrowArray& array, std::span<const WriteRange> ranges,
                  const DictionarySet& dictionaries, std::byte** cursors) {
  NestedWriter(Write(cursors), dictionaries).values(type, array, ranges);
}

EncodedParts encode_parts(const TableType& type, const ArrowArray& array, std::span<const WriteRange> ranges,
                          const DictionarySet& dictionaries) {
  EncodedParts parts;
  parts.ends.assign(ranges.size(), 0);
  NestedWriter(Measure(parts.ends.data()), dictionaries).part(type, array, ranges);
  std::partial_sum(parts.ends.begin(), parts.ends.end(), parts.ends.begin());
  parts.bytes.resize(parts.ends.empty() ? 0 : parts.ends.back());
  std::vector<std::byte*> cursors(ranges.size(), parts.bytes.data());
  for (std::size_t i = 1; i < cursors.size(); ++i) cursors[i] += parts.ends[i - 1];
  NestedWriter(Write(cursors.data()), dictionaries).part(type, array, ranges);
  return parts;
}

}  // namespace sortie::table
