#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "base/whole_number.hpp"
#include "table/column_errors.hpp"
#include "table/table_type.hpp"

namespace sortie::table {
namespace {

/// All work on columns is recursive: this bounds the stack.
constexpr unsigned kMostLevels = 64;
constexpr std::size_t kUnionIds = 128;

/// A type by the format that the Arrow C data interface has for it.
struct NamedType {
  std::string_view format;
  Storage storage;
  Order order;
  std::uint32_t width;
  std::string_view words;
};

constexpr auto kNamedTypes = std::to_array<NamedType>({
    {"n", Storage::kNull, Order::kNull, 0, "null"},
    {"b", Storage::kBits, Order::kUnsigned, 1, "bool"},
    {"c", Storage::kFixed, Order::kSigned, 1, "int8"},
    {"C", Storage::kFixed, Order::kUnsigned, 1, "uint8"},
    {"s", Storage::kFixed, Order::kSigned, 2, "int16"},
    {"S", Storage::kFixed, Order::kUnsigned, 2, "uint16"},
    {"i", Storage::kFixed, Order::kSigned, 4, "int32"},
    {"I", Storage::kFixed, Order::kUnsigned, 4, "uint32"},
    {"l", Storage::kFixed, Order::kSigned, 8, "int64"},
    {"L", Storage::kFixed, Order::kUnsigned, 8, "uint64"},
    {"e", Storage::kFixed, Order::kFloat, 2, "float16"},
    {"f", Storage::kFixed, Order::kFloat, 4, "float32"},
    {"g", Storage::kFixed, Order::kFloat, 8, "float64"},
    {"z", Storage::kBinary, Order::kBytes, 4, "binary"},
    {"Z", Storage::kBinary, Order::kBytes, 8, "large_binary"},
    {"vz", Storage::kBinaryView, Order::kBytes, 16, "binary_view"},
    {"u", Storage::kBinary, Order::kBytes, 4, "string"},
    {"U", Storage::kBinary, Order::kBytes, 8, "large_string"},
    {"vu", Storage::kBinaryView, Order::kBytes, 16, "string_view"},
    {"tdD", Storage::kFixed, Order::kSigned, 4, "date32"},
    {"tdm", Storage::kFixed, Order::kSigned, 8, "date64"},
    {"tts", Storage::kFixed, Order::kSigned, 4, "time32[s]"},
    {"ttm", Storage::kFixed, Order::kSigned, 4, "time32[ms]"},
    {"ttu", Storage::kFixed, Order::kSigned, 8, "time64[us]"},
    {"ttn", Storage::kFixed, Order::kSigned, 8, "time64[ns]"},
    {"tDs", Storage::kFixed, Order::kSigned, 8, "duration[s]"},
    {"tDm", Storage::kFixed, Order::kSigned, 8, "duration[ms]"},
    {"tDu", Storage::kFixed, Order::kSigned, 8, "duration[us]"},
    {"tDn", Storage::kFixed, Order::kSigned, 8, "duration[ns]"},
    {"tiM", Storage::kFixed, Order::kSigned, 4, "interval of months"},
    {"tiD", Storage::kFixed, Order::kNone, 8, "interval of days and milliseconds"},
    {"tin", Storage::kFixed, Order::kNone, 16, "interval of months, days and nanoseconds"},
    {"+s", Storage::kStruct, Order::kNone, 0, "struct"},
    {"+l", Storage::kList, Order::kNone, 4, "list"},
    {"+L", Storage::kList, Order::kNone, 8, "large_list"},
    {"+vl", Storage::kListView, Order::kNone, 4, "list_view"},
    {"+vL", Storage::kListView, Order::kNone, 8, "large_list_view"},
    {"+m", Storage::kList, Order::kNone, 4, "map"},
});

[[noreturn]] void refuse_format(std::string_view format) {
  throw Error("its type, '" + escape_unprintable(format) +
              "' in the Arrow C data interface, is not known: cast the column to another or leave it out");
}

std::string_view text_or_empty(const char* text) { return text == nullptr ? std::string_view() : text; }

/// A number of 31 bits behind the first letters of a format.
std::int64_t number_in(std::string_view format, std::size_t begin) {
  const auto number = whole_number<std::int64_t>(format.substr(begin));
  if (!number || *number < 0 || *number > std::numeric_limits<std::int32_t>::max()) refuse_format(format);
  return *number;
}

TableType timestamp_type(std::string_view format) {
  constexpr std::string_view kUnits = "smun";
  if (format.size() < 4 || kUnits.find(format[2]) == std::string_view::npos || format[3] != ':') refuse_format(format);
  const std::string unit = std::string("timestamp[") + format[2] + (format[2] == 's' ? "" : "s");
  const std::string zone = format.size() > 4 ? ", " + escape_unprintable(format.substr(4)) : "";
  return fixed_type(Order::kSigned, 8, unit + zone + "]");
}

TableType decimal_type(std::string_view format) {
  const std::string_view rest = format.substr(2);
  const std::size_t comma = rest.find(',');
  if (comma == std::string_view::npos) refuse_format(format);
  const std::string_view scale = rest.substr(comma + 1);
  const std::size_t second = scale.find(',');
  const auto bits = second == std::string_view::npos ? 128 : whole_number<std::int64_t>(scale.substr(second + 1));
  if (bits != 32 && bits != 64 && bits != 128 && bits != 256) refuse_format(format);
  return fixed_type(Order::kSigned, static_cast<std::uint32_t>(*bits / 8),
                    "decimal" + std::to_string(*bits) + "(" + escape_unprintable(rest.substr(0, comma)) + ", " +
                        escape_unprintable(scale.substr(0, second)) + ")");
}

/// What a format without children tells; of a list or struct, what its children do not add.
TableType type_of_format(std::string_view format) {
  for (const NamedType& named : kNamedTypes) {
    if (named.format != format) continue;
    TableType type = fixed_type(named.order, named.width, std::string(named.words));
    type.storage = named.storage;
    return type;
  }
  if (format.starts_with("ts")) return timestamp_type(format);
  if (format.starts_with("d:")) return decimal_type(format);
  if (!format.starts_with("w:")) refuse_format(format);
  const std::int64_t width = number_in(format, 2);
  return fixed_type(Order::kBytes, static_cast<std::uint32_t>(width),
                    "fixed_size_binary[" + std::to_string(width) + "]");
}

class TypeReader {
 public:
  TableType type_of(const ArrowSchema& schema, unsigned level) {
    if (level > kMostLevels) {
      throw Error("it is nested in more than " + std::to_string(kMostLevels) + " levels: flatten it or leave it out");
    }
    TableType type = schema.dictionary != nullptr ? dictionary_type(schema, level) : own_type(schema, level);
    declare(type, (schema.flags & ARROW_FLAG_NULLABLE) != 0);
    return type;
  }

  std::size_t dictionary_count() const { return dictionary_count_; }

 private:
  /// What refers to a value that is null is null, too. The flags of dictionaries' values mean nothing.
  static void declare(TableType& type, bool is_nullable) {
    type.is_nullable = is_nullable;
    if (type.storage == Storage::kDictionary) declare(type.children[0], is_nullable);
    if (type.storage == Storage::kRunEnd) {
      declare(type.children[0], true);  // run ends are no values
      if (!is_nullable) declare(type.children[1], false);
    }
    const auto has_required = [](const TableType& child) { return child.has_required; };
    type.has_required = !is_nullable || std::any_of(type.children.begin(), type.children.end(), has_required);
  }

  TableType dictionary_type(const ArrowSchema& schema, unsigned level) {
    const TableType index = own_type(schema, level);
    const bool is_integer = index.storage == Storage::kFixed && schema.format[1] == '\0' &&
                            (index.order == Order::kSigned || index.order == Order::kUnsigned);
    if (!is_integer) throw Error("a dictionary has indexes of an integer type, not " + index.words);
    TableType type;
    type.storage = Storage::kDictionary;
    type.width = index.width;
    const unsigned bits = 8 * index.width - (index.order == Order::kSigned ? 1 : 0);
    type.most_indexes = std::uint64_t{1} << std::min(bits, 32U);
    type.children.push_back(type_of(*schema.dictionary, level + 1));
    type.is_ordered = (schema.flags & ARROW_FLAG_DICTIONARY_ORDERED) != 0;
    type.order = type.is_ordered ? Order::kUnsigned : simple_order(type.children[0]);
    type.words = "dictionary<" + type.children[0].words + ", " + index.words + (type.is_ordered ? ", ordered>" : ">");
    type.dictionary = dictionary_count_++;
    return type;
  }

  /// Not that of dictionaries and runs of others.
  static Order simple_order(const TableType& type) {
    return type.storage == Storage::kDictionary || type.storage == Storage::kRunEnd ? Order::kNone : type.order;
  }

  TableType own_type(const ArrowSchema& schema, unsigned level) {
    const std::string_view format = text_or_empty(schema.format);
    if (!format.starts_with("+")) return type_of_format(format);
    std::vector<std::string> names;
    std::vector<TableType> children;
    for (std::int64_t i = 0; i < schema.n_children; ++i) {
      names.emplace_back(text_or_empty(schema.children[i]->name));
      children.push_back(type_of(*schema.children[i], level + 1));
    }
    const bool has_own_form = format.starts_with("+w:") || format.starts_with("+u") || format == "+r";
    TableType type = has_own_form ? TableType() : type_of_format(format);
    type.names = std::move(names);
    type.children = std::move(children);
    if (has_own_form) {
      read_form(type, format);
    } else if (type.storage == Storage::kStruct) {
      type.words += fields_of(type);
    } else {
      require_children(type, 1, format);
      type.words += "<" + type.children[0].words + ">";
    }
    return type;
  }

  /// "<a: int64, b: string>"; of a union with the type ids: "<a: int64 = 0, b: string = 1>".
  static std::string fields_of(const TableType& type) {
    std::string fields;
    for (std::size_t i = 0; i < type.children.size(); ++i) {
      fields += (i == 0 ? "" : ", ") + escape_unprintable(type.names[i]) + ": " + type.children[i].words;
      if (!type.id_of_child.empty()) fields += " = " + std::to_string(type.id_of_child[i]);
    }
    return "<" + fields + ">";
  }

  static void require_children(const TableType& type, std::size_t count, std::string_view format) {
    if (type.children.size() != count) refuse_format(format);
  }

  static void read_form(TableType& type, std::string_view format) {
    if (format.starts_with("+us:") || format.starts_with("+ud:")) return read_union(type, format);
    if (format == "+r") return read_run_end(type, format);
    if (!format.starts_with("+w:")) refuse_format(format);
    require_children(type, 1, format);
    type.list_size = number_in(format, 3);
    type.storage = Storage::kFixedList;
    type.words = "fixed_size_list<" + type.children[0].words + ">[" + std::to_string(type.list_size) + "]";
  }

  static void read_union(TableType& type, std::string_view format) {
    type.storage = format[2] == 's' ? Storage::kSparseUnion : Storage::kDenseUnion;
    type.child_of_id.assign(kUnionIds, -1);
    std::string_view ids = format.substr(4);
    while (!ids.empty()) {
      const std::size_t end = std::min(ids.find(','), ids.size());
      const auto id = whole_number<std::int64_t>(ids.substr(0, end));
      if (!id || *id < 0 || *id >= static_cast<std::int64_t>(kUnionIds)) refuse_format(format);
      type.child_of_id[static_cast<std::size_t>(*id)] = static_cast<std::int16_t>(type.id_of_child.size());
      type.id_of_child.push_back(static_cast<std::int8_t>(*id));
      ids.remove_prefix(std::min(end + 1, ids.size()));
    }
    require_children(type, type.id_of_child.size(), format);
    type.words = (type.storage == Storage::kSparseUnion ? "sparse_union" : "dense_union") + fields_of(type);
  }

  static void read_run_end(TableType& type, std::string_view format) {
    require_children(type, 2, format);
    const TableType& ends = type.children[0];
    const bool is_suitable =
        ends.storage == Storage::kFixed && ends.order == Order::kSigned && ends.width >= 2 && ends.width <= 8;
    if (!is_suitable) throw Error("run ends are int16, int32 or int64, not " + ends.words);
    type.storage = Storage::kRunEnd;
    type.width = ends.width;
    type.order = simple_order(type.children[1]);
    type.words = "run_end_encoded<" + ends.words + ", " + type.children[1].words + ">";
  }

  std::size_t dictionary_count_ = 0;
};

}  // namespace

TableSchema read_schema(const ArrowSchema& schema) {
  if (schema.release == nullptr) throw Error("the schema of a table has been released: give one that is not");
  if (text_or_empty(schema.format) != "+s" || schema.dictionary != nullptr) {
    throw Error("the schema of a table is a struct of its columns, not the format '" +
                escape_unprintable(text_or_empty(schema.format)) + "': give the schema of a record batch");
  }
  TableSchema table;
  TypeReader reader;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    const ArrowSchema& child = *schema.children[i];
    table.names.emplace_back(text_or_empty(child.name));
    work_on_column(table.names.back(), [&] { table.columns.push_back(reader.type_of(child, 1)); });
  }
  table.dictionary_count = reader.dictionary_count();
  return table;
}

}  // namespace sortie::table
