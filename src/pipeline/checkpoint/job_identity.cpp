#include "pipeline/checkpoint/job_identity.hpp"

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "base/checksum.hpp"
#include "record/aggregate/group_state.hpp"
#include "record/collation/collated_text.hpp"
#include "record/prefixed/prefixed_records.hpp"
#include "record/text/encoded_lines.hpp"
#include "record/time/time_zones.hpp"

namespace sortie {
namespace {

/// Collects everything that tells jobs apart as text. Each part ends with its length, so different jobs give different
/// texts.
class Digest {
 public:
  Digest& add(std::string_view part) {
    text_.append(part).append("\n").append(std::to_string(part.size())).append("\n");
    return *this;
  }
  template <class Number>
  requires std::is_integral_v<Number> || std::is_enum_v<Number> Digest& add(Number value) {
    return add(std::string_view(std::to_string(static_cast<std::int64_t>(value))));
  }
  Digest& add(std::span<const std::byte> bytes) {
    return add(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }

  Checksum value() const { return hash_record(std::as_bytes(std::span(text_))); }

 private:
  std::string text_;
};

// The device number is left out: it may change when the machine restarts.
Checksum digest_of_inputs(FileSystem& files, const SortOptions& options) {
  Digest digest;
  if (options.source) return digest.add(options.source_identity).value();
  for (const std::string& path : options.inputs) {
    const FileStatus status = files.status(path);
    digest.add(path).add(status.bytes).add(status.modified_ns).add(status.changed_ns).add(status.inode);
  }
  return digest.value();
}

void add_position(Digest& digest, const TextPosition& position) {
  digest.add(position.field).add(position.byte).add(position.skip_blanks);
}

void add_grouping(Digest& digest, const Grouping& grouping) {
  digest.add(kGroupStateVersion);
  digest.add(grouping.aggregates.size());
  for (const Aggregate& aggregate : grouping.aggregates) {
    digest.add(aggregate.kind).add(aggregate.field.column);
    add_position(digest, aggregate.field.begin);
    add_position(digest, aggregate.field.end.value_or(TextPosition()));
  }
}

void add_key(Digest& digest, const TextKey& key) {
  add_position(digest, key.begin);
  digest.add(key.end.has_value());
  add_position(digest, key.end.value_or(TextPosition()));
  digest.add(key.kind).add(key.fold_case).add(key.dictionary).add(key.ignore_nonprinting).add(key.descending);
  digest.add(key.column).add(key.time.form).add(key.time.pattern);
  for (const std::string& name : key.names) digest.add(name);
  digest.add(key.names_are_optional);
  if (const NormalForm& form = key.normal; form.is_wanted()) {
    digest.add(form.nfkc).add(form.case_fold).add(form.punctuation).add(form.space);
  }
  for (const Share& share : key.shares) digest.add(share.name).add(share.billionths);
}

void add_text_order(Digest& digest, const TextOrder& order) {
  for (const TextKey& key : order.keys) add_key(digest, key);
  digest.add(order.separator).add(order.locale).add(order.last_resort);
  digest.add(order.last_resort_descending)
      .add(order.random_seed.value_or(RandomSeed{}))
      .add(order.csv)
      .add(order.quoting);
  digest.add(order.last_day.has_value())
      .add(order.last_day.value_or(0))
      .add(order.record_start.pattern())
      .add(order.record_start.characters() == RecordStart::Characters::kBytes)
      .add(order.json);
  for (const std::string& word : order.missing_words) digest.add(word);
  for (const std::string& prefix : order.comment_prefixes) digest.add(prefix);
  // The tz database may change under the same name.
  const std::shared_ptr<const TimeZones> zones = TimeZones::of(order);
  digest.add(zones ? zones->description() : std::string());
}

void add_format(Digest& digest, const Format& format) {
  digest.add(format.kind).add(format.delimiter).add(format.record_bytes).add(format.descending).add(format.shuffle);
  for (const Field& field : format.fields) {
    digest.add(field.kind).add(field.byte_order).add(field.offset).add(field.length).add(field.descending);
  }
  add_text_order(digest, format.text);
}

// A length-prefixed record with bytes that are stuffed or escaped, and with stretches that are long.
std::string prefixed_sample() {
  const std::string key("\x00\x01k\x1e\x1f\xff", 6);
  const std::string payload = std::string(300, 'x') + "\x1e\x1e" + std::string(254, 'y') + "\x1e";
  std::string record(PrefixedHeader::kBytes, '\0');
  const PrefixedHeader header{static_cast<std::uint32_t>(key.size()), static_cast<std::uint32_t>(payload.size())};
  header.store(std::as_writable_bytes(std::span(record)).data());
  return record + key + payload;
}

// A locale may change under the same name, and another version of this program may make other keys. The keys of a few
// lines reveal both.
void add_keys(Digest& digest, const RecordCodec& codec) {
  constexpr std::array<std::string_view, 5> kLines = {
      "The quick brown fox, jumps; over-the lazy dog: 0123456789!",
      "12,5 -3.25e2 0x1F 1K 2M 3Gi JAN feb v1.10-rc2 v1.9 NaN inf",
      "a b\tc  d,e;f|g:h/i_j.k A B\tC  D,E;F|G:H/I_J.K",
      "\xc3\xa4\xc3\x96\xc3\xa9\xc3\x9f \xe4\xb8\xad\xe6\x96\x87 \xce\xa9",
      "",
  };
  EncodedLines encoded;
  for (const std::string_view line : kLines) {
    const std::string record = std::string(line) + codec.input_format().delimiter;
    codec.encode(std::as_bytes(std::span(record)), 0, encoded);
  }
  if (codec.input_format().kind == RecordKind::kPrefixed) {
    const std::string record = prefixed_sample();
    codec.encode(std::as_bytes(std::span(record)), 0, encoded);
  }
  digest.add(encoded.bytes());
}

void add_locale(Digest& digest) {
  const LocaleHandle locale = LocaleHandle::current();
  for (const int category : {LC_COLLATE, LC_CTYPE, LC_NUMERIC, LC_TIME}) digest.add(locale.name(category));
}

}  // namespace

Checksum identify_options(const SortSpec& spec) {
  const SortOptions& options = spec.options;
  Digest digest;
  add_format(digest, spec.input_format);
  digest.add(options.unique).add(spec.keeps_last).add(options.count).add(options.header_lines);
  if (options.keep_best) add_key(digest, *options.keep_best);
  if (spec.reports_dropped()) digest.add(std::string_view("dropped"));
  digest.add(options.key_filter).add(options.set_operation);
  if (options.set_inputs != 0) digest.add(options.set_inputs);
  for (const std::string& prefix : options.header_prefixes) digest.add(prefix);
  if (options.grouping) add_grouping(digest, *options.grouping);
  // Frames are made where records leave the sort: runs do not depend on them.
  const RecordForm form = spec.form == RecordForm::kFramed ? RecordForm::kPlain : spec.form;
  digest.add(options.unpack).add(options.verify).add(options.top_records).add(form);
  // A shard has no output, and its runs do not depend on the parts that are made of them.
  if (const Parts& parts = options.parts; parts.are_wanted() && !options.output.empty()) {
    digest.add(parts.count).add(parts.most_bytes).add(parts.most_records).add(parts.by_first_key).add(parts.together);
    if (parts.most_weight != 0) digest.add(parts.most_weight);
    if (parts.weight) add_key(digest, *parts.weight);
  }
  if (spec.input_format.text.locale) add_locale(digest);
  if (spec.codec->makes_keys()) add_keys(digest, *spec.codec);
  return digest.value();
}

JobIdentity identify_job(FileSystem& files, const SortSpec& spec) {
  return {digest_of_inputs(files, spec.options), identify_options(spec)};
}

}  // namespace sortie
