#include "table/schema_reader.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "base/whole_number.hpp"
#include "table/plain_types.hpp"

namespace sortie::table {
namespace {

/// All work on columns is recursive: this bounds the stack.
constexpr unsigned kMostLevels = 64;
constexpr std::size_t kUnionIds = 128;

struct NestedType {
  std::string_view format;
  Storage storage;
  std::uint32_t width;  // of an offset
  std::string_view words;
};

constexpr auto kListTypes = std::to_array<NestedType>({
    {"+l", Storage::kList, 4, "list"},
    {"+L", Storage::kLargeList, 8, "large_list"},
    {"+vl", Storage::kListView, 4, "list_view"},
    {"+vL", Storage::kLargeListView, 8, "large_list_view"},
    {"+m", Storage::kList, 4, "map"},
});

std::string_view text_or_empty(const char* text) { return text == nullptr ? std::string_view() : text; }

class SchemaReader {
 public:
  TableSchema read(const ArrowSchema& schema) {
    if (schema.release == nullptr) throw Error("the schema of a table has been released: give one that is not");
    if (text_or_empty(schema.format) != "+s" || schema.dictionary != nullptr) {
      throw Error("the schema of a table is a struct of its columns, not the format '" +
                  escape_unprintable(text_or_empty(schema.format)) + "': give the schema of a record batch");
    }
    for (std::int64_t i = 0; i < schema.n_children; ++i) {
      const ArrowSchema& child = *schema.children[i];
      column_ = text_or_empty(child.name);
      table_.names.push_back(column_);
      table_.columns.push_back(type_of(child, 1));
    }
    table_.dictionary_count = dictionary_count_;
    return std::move(table_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error("column " + quote_word(column_) + ": " + what);
  }

  [[noreturn]] void refuse_format(std::string_view format) const {
    refuse("its type, '" + escape_unprintable(format) +
           "' in the Arrow C data interface, is not known: cast the column to another or leave it out");
  }

  TableType type_of(const ArrowSchema& schema, unsigned level) {
    if (level > kMostLevels) {
      refuse("it is nested in more than " + std::to_string(kMostLevels) + " levels: flatten it or leave it out");
    }
    TableType type = schema.dictionary != nullptr ? dictionary_type(schema, level) : own_type(schema, level);
    declare(type, (schema.flags & ARROW_FLAG_NULLABLE) != 0);
    return type;
  }

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
    if (!is_integer) refuse("a dictionary has indexes of an integer type, not " + index.words);
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
    if (format.starts_with("+")) return nested_type(schema, format, level);
    std::optional<TableType> type = plain_type(format);
    if (!type) refuse_format(format);
    return std::move(*type);
  }

  TableType nested_type(const ArrowSchema& schema, std::string_view format, unsigned level) {
    TableType type;
    for (std::int64_t i = 0; i < schema.n_children; ++i) {
      const ArrowSchema& child = *schema.children[i];
      type.names.emplace_back(text_or_empty(child.name));
      type.children.push_back(type_of(child, level + 1));
    }
    if (format == "+s") {
      type.storage = Storage::kStruct;
      type.words = "struct" + fields_of(type);
    } else if (format.starts_with("+w:")) {
      read_fixed_list(type, format);
    } else if (format.starts_with("+us:") || format.starts_with("+ud:")) {
      read_union(type, format);
    } else if (format == "+r") {
      read_run_end(type, format);
    } else {
      read_list(type, format);
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

  void require_children(const TableType& type, std::size_t count, std::string_view format) const {
    if (type.children.size() != count) refuse_format(format);
  }

  void read_list(TableType& type, std::string_view format) const {
    for (const NestedType& list : kListTypes) {
      if (list.format != format) continue;
      require_children(type, 1, format);
      type.storage = list.storage;
      type.width = list.width;
      type.words = std::string(list.words) + "<" + type.children[0].words + ">";
      return;
    }
    refuse_format(format);
  }

  void read_fixed_list(TableType& type, std::string_view format) const {
    require_children(type, 1, format);
    const auto size = whole_number<std::int64_t>(format.substr(3));
    if (!size || *size < 0 || *size > std::numeric_limits<std::int32_t>::max()) refuse_format(format);
    type.storage = Storage::kFixedList;
    type.list_size = *size;
    type.words = "fixed_size_list<" + type.children[0].words + ">[" + std::to_string(*size) + "]";
  }

  void read_union(TableType& type, std::string_view format) const {
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

  void read_run_end(TableType& type, std::string_view format) const {
    require_children(type, 2, format);
    const TableType& ends = type.children[0];
    const bool is_suitable =
        ends.storage == Storage::kFixed && ends.order == Order::kSigned && ends.width >= 2 && ends.width <= 8;
    if (!is_suitable) refuse("run ends are int16, int32 or int64, not " + ends.words);
    type.storage = Storage::kRunEnd;
    type.width = ends.width;
    type.order = simple_order(type.children[1]);
    type.words = "run_end_encoded<" + ends.words + ", " + type.children[1].words + ">";
  }

  TableSchema table_;
  std::string column_;
  std::size_t dictionary_count_ = 0;
};

}  // namespace

TableSchema read_schema(const ArrowSchema& schema) { return SchemaReader().read(schema); }

}  // namespace sortie::table
