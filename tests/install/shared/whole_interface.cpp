// Names every function that the headers declare. If the shared library did not export one, this would not link. Also
// catches each kind of error that leaves the library.
#include <sortie/argsort.hpp>
#include <sortie/file_format_shards.hpp>
#include <sortie/file_formats.hpp>
#include <sortie/genome_order.hpp>
#include <sortie/grouping.hpp>
#include <sortie/join.hpp>
#include <sortie/join_shards.hpp>
#include <sortie/output_file.hpp>
#include <sortie/shard.hpp>
#include <sortie/shuffle_keys.hpp>
#include <sortie/sort.hpp>
#include <sortie/sort_array.hpp>
#include <sortie/table_records.hpp>
#include <sortie/table_sorter.hpp>
#include <sortie/text_keys.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

namespace {

std::vector<const void*> functions() {
  using namespace sortie;
  const auto address = [](auto function) { return reinterpret_cast<const void*>(function); };
  using Paths = const std::vector<std::string>&;
  using Bounds = std::span<const SliceBound>;
  using Text = const std::string&;
  using CutOfSort = ShardCuts (*)(const SortOptions&, Paths, std::uint64_t, Bounds, Text, Text);
  using CutOfJoin = ShardCuts (*)(const JoinOptions&, JoinSide, Paths, std::uint64_t, Bounds, Text, Text);
  return {address(&sort),
          address(static_cast<std::string (*)(const SortOptions&)>(&plan)),
          address(&narrow_devices),
          address(&check),
          address(&parse_format),
          address(&parse_field),
          address(static_cast<std::string (*)(const Format&)>(&to_string)),
          address(static_cast<std::string (*)(const Field&)>(&to_string)),
          address(static_cast<std::string (*)(const Checksum&)>(&to_string)),
          address(&validate),
          address(&seed_of_text),
          address(static_cast<std::string (*)(const SortReport&)>(&to_text)),
          address(static_cast<std::string (*)(const SortReport&)>(&to_json)),
          address(&join),
          address(static_cast<std::string (*)(const JoinOptions&)>(&plan)),
          address(static_cast<std::string (*)(const JoinReport&)>(&to_text)),
          address(static_cast<std::string (*)(const JoinReport&)>(&to_json)),
          address(&parse_join_columns),
          address(&parse_right_keys),
          address(static_cast<ShardReport (*)(const SortOptions&, const ShardRequest&)>(&form_shard)),
          address(static_cast<ShardReport (*)(const JoinOptions&, JoinSide, const ShardRequest&)>(&form_shard)),
          address(&total_assumptions),
          address(&find_inputs_header),
          address(&cut_run),
          address(static_cast<CutOfSort>(&cut_shard)),
          address(static_cast<CutOfJoin>(&cut_shard)),
          address(&join_slices),
          address(&sort_files),
          address(&plan_files),
          address(&check_files),
          address(&find_file_format),
          address(&find_files_header),
          address(&form_files_shard),
          address(&sort_of_files),
          address(&write_files_ranges),
          address(&parse_join_slice_plan),
          address(&put_in_place),
          address(&machine_share),
          address(&merge_slices),
          address(&split_ranges),
          address(&sort_by_place),
          address(&parse_bounds),
          address(&parse_inputs_header),
          address(&parse_slice_plan),
          address(&parse_ranges_plan),
          address(static_cast<std::string (*)(const ShardReport&)>(&to_json)),
          address(static_cast<std::string (*)(AggregateKind)>(&to_string)),
          address(&aggregate_kind),
          address(&parse_aggregate),
          address(&parse_aggregate_field),
          address(&parse_key_definition),
          address(&parse_column_key),
          address(&parse_table_key),
          address(&find_key),
          address(&parse_json_key),
          address(&last_day_of_year),
          address(&fault_of_written_time),
          address(&set_zones),
          address(&parse_missing_words),
          address(&parse_shares),
          address(&parse_obsolete_key),
          address(&effective_options),
          address(&make_text_key),
          address(&parse_text_key),
          address(&make_text_order),
          address(&add_first_key),
          address(&genome_order),
          address(&genome_header_prefixes)};
}

bool sorts_numbers() {
  std::vector<float> numbers = {2, 1};
  sortie::ArraySorter sorter;
  sorter.sort<float>(numbers, numbers);
  sortie::ArraySorter moved = std::move(sorter);
  std::vector<std::int64_t> indexes(2);
  sortie::argsort<float>(numbers, indexes);
  sortie::Format records;
  records.kind = sortie::RecordKind::kFixed;
  records.record_bytes = sizeof(float);
  records.fields = {{sortie::FieldKind::kFloat, sortie::ByteOrder::kLittle, 0, sizeof(float), false}};
  sortie::argsort_records(std::as_bytes(std::span(numbers)), indexes, records, {});
  return numbers[0] == 1 && indexes[1] == 1 && moved.engine() == "cpu" && moved.device_failure().empty();
}

void release_nothing(ArrowSchema* schema) { schema->release = nullptr; }
void release_nothing(ArrowArray* array) { array->release = nullptr; }

ArrowSchema schema_without_columns() {
  ArrowSchema schema{};
  schema.format = "+s";
  schema.release = release_nothing;
  return schema;
}

ArrowArray two_rows() {
  static const void* no_bitmap = nullptr;
  ArrowArray batch{};
  batch.length = 2;
  batch.n_buffers = 1;
  batch.buffers = &no_bitmap;
  batch.release = release_nothing;
  return batch;
}

bool sorts_tables() {
  const ArrowSchema schema = schema_without_columns();
  sortie::TableSorter sorter(schema, {});
  sorter.require_schema(schema);
  ArrowArray batch = two_rows();
  sorter.push(&batch);
  ArrowArray sorted{};
  const bool has_rows = sorter.pull(&sorted) && sorted.length == 2;
  if (has_rows) sorted.release(&sorted);
  ArrowSchema copy{};
  sorter.export_schema(&copy);
  copy.release(&copy);
  return has_rows && !sorter.pull(&sorted) && sorter.report().output_records == 2;
}

bool makes_records_of_rows() {
  const ArrowSchema schema = schema_without_columns();
  sortie::TableRecords records(schema, {}, 1);
  records.require_schema(schema);
  std::vector<std::byte> bytes;
  ArrowArray batch = two_rows();
  records.encode(&batch, [&](std::span<const std::byte> some) { bytes.insert(bytes.end(), some.begin(), some.end()); });
  const bool has_rows = records.decode(bytes, 2, &batch) == 2 * records.format().record_bytes && batch.length == 2;
  if (has_rows) batch.release(&batch);
  ArrowSchema copy{};
  records.export_schema(&copy);
  copy.release(&copy);
  return has_rows;
}

bool makes_keys_of_shuffles() {
  const sortie::ShuffleKeys keys(sortie::seed_of_text("7"));
  std::vector<std::uint64_t> first(2);
  std::vector<std::uint64_t> second(2);
  keys.write_words(0, first, second);
  return keys.key(0) != keys.key(1) && first[0] != first[1] && second[0] != second[1];
}

bool writes_files(const std::string& path) {
  sortie::OutputFile file(path);
  file.write({});
  file.finish();
  return std::remove(path.c_str()) == 0;
}

bool throws_errors() {
  try {
    sortie::parse_format("nothing");
    return false;
  } catch (const sortie::Error&) {
    return true;
  }
}

}  // namespace

int main() {
  for (const void* function : functions()) {
    if (function == nullptr) return 1;
  }
  sortie::OrderingOptions ordering;
  ordering.set('n');
  sortie::TemporaryNames names;
  const sortie::TemporaryNames::Entry entry(&names, "name");
  const bool holds = entry.hold().owns_lock();
  const bool agrees = ordering.without(ordering) == sortie::OrderingOptions() && ordering.letters() == "n";
  if (!holds || !agrees || !sorts_numbers() || !sorts_tables() || !makes_records_of_rows() ||
      !makes_keys_of_shuffles() || !writes_files("whole_interface.out") || !throws_errors()) {
    std::fputs("the shared library does not do what it says\n", stderr);
    return 1;
  }
  return 0;
}
