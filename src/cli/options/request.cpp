#include "cli/options/request.hpp"

#include <utility>

#include <sortie/error.hpp>
#include <sortie/text_keys.hpp>

#include "cli/options/locale_use.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/parts_options.hpp"
#include "cli/options/resource_options.hpp"
#include "cli/options/set_once.hpp"

namespace sortie::cli {
namespace {

void set_check(Request& request, CheckMode mode) {
  if (request.check != CheckMode::kNo && request.check != mode) throw Error("options '-cC' are incompatible");
  request.check = mode;
}

void set_key_filter(SortOptions& options, KeyFilter filter) {
  if (options.key_filter != KeyFilter::kAll && options.key_filter != filter) {
    refuse_together("--repeated", "--only-once");
  }
  options.key_filter = filter;
  options.unique = true;
}

void set_operation(SortOptions& options, SetOperation operation) {
  if (options.set_operation != SetOperation::kNone && options.set_operation != operation) {
    throw Error("options --union, --intersect, --except and --symmetric are incompatible: give one of them");
  }
  options.set_operation = operation;
  options.unique = true;
}

void set_genome(OrderRequest& order, GenomeFile file) {
  if (order.genome && *order.genome != file) refuse_together("--bed", "--vcf");
  order.genome = file;
}

void set_sample(Request& request, const std::string& word) {
  const std::size_t comma = word.find(',');
  request.options.sample_records = parse_record_count(word.substr(0, comma), "--sample");
  request.sample_seed.reset();
  if (comma != std::string::npos) request.sample_seed = word.substr(comma + 1);
}

}  // namespace

void Request::note_other_than_resources(const Argument& argument) {
  if (beside_resources) return;
  if (argument.kind != Argument::Kind::kOption) {
    beside_resources = argument.value;
  } else if ((argument.option->group != OptionGroup::kResources && argument.option->id != OptionId::kSelfTest) ||
             argument.option->id == OptionId::kCheckpoint) {
    beside_resources = argument.name;
  }
}

void Request::apply(const Argument& argument) {
  note_other_than_resources(argument);
  switch (argument.kind) {
    case Argument::Kind::kOperand:
      options.inputs.push_back(argument.value);
      return;
    case Argument::Kind::kObsoleteKey:
      return apply_obsolete_key(order, argument);
    case Argument::Kind::kOption:
      return apply_option(argument);
  }
}

void Request::apply_option(const Argument& argument) {
  switch (argument.option->group) {
    case OptionGroup::kAction:
      return apply_action(argument);
    case OptionGroup::kJoin:
      return apply_join_option(join, argument);
    case OptionGroup::kOrder:
      return apply_order_option(order, argument);
    case OptionGroup::kResources:
      return apply_resource_option(options, compress_program, argument);
    case OptionGroup::kObservation:
      return apply_observation(argument);
    case OptionGroup::kRecords:
      return apply_records(argument);
    case OptionGroup::kShards:
      return apply_shards(argument);
    case OptionGroup::kOther:
      if (argument.option->id == OptionId::kHelp) help = parse_help_form(argument.value);
      if (argument.option->id == OptionId::kVersion) version = true;
      if (argument.option->id == OptionId::kSelfTest) self_test = true;
      return;
  }
}

void Request::apply_action(const Argument& argument) {
  switch (argument.option->id) {
    case OptionId::kOutput:
      return set_once(output, argument.value, "multiple output files specified");
    case OptionId::kUnique:
      options.unique = true;
      return;
    case OptionId::kKeep:
      options.keep_last = parse_keep_is_last(argument.value);
      return;
    case OptionId::kGroup:
    case OptionId::kCount:
    case OptionId::kSum:
    case OptionId::kMin:
    case OptionId::kMax:
    case OptionId::kMean:
    case OptionId::kFirst:
    case OptionId::kLast:
      return groups.apply(argument);
    case OptionId::kRepeated:
      return set_key_filter(options, KeyFilter::kRepeated);
    case OptionId::kOnlyOnce:
      return set_key_filter(options, KeyFilter::kOnce);
    case OptionId::kUnion:
      return set_operation(options, SetOperation::kUnion);
    case OptionId::kIntersect:
      return set_operation(options, SetOperation::kIntersect);
    case OptionId::kExcept:
      return set_operation(options, SetOperation::kExcept);
    case OptionId::kSymmetric:
      return set_operation(options, SetOperation::kSymmetric);
    case OptionId::kOutputLevel:
      options.output_level = parse_output_level(argument.value);
      return;
    case OptionId::kOutputOrder:
      options.output_order = parse_output_order(argument.value);
      return;
    case OptionId::kSample:
      return set_sample(*this, argument.value);
    case OptionId::kSplit:
    case OptionId::kSplitSize:
    case OptionId::kSplitRecords:
    case OptionId::kSplitBy:
    case OptionId::kTogether:
    case OptionId::kManifest:
      return apply_parts_option(options.parts, order.split_by, argument);
    case OptionId::kTop:
      options.top_records = parse_record_count(argument.value, "--top");
      return;
    case OptionId::kShuffle:
      order.shuffle = true;
      if (argument.has_value) order.shuffle_seed = argument.value;
      return;
    case OptionId::kMerge:
      options.merge_only = true;
      return;
    case OptionId::kCheckShort:
      return set_check(*this, CheckMode::kDiagnose);
    case OptionId::kCheckQuietly:
      return set_check(*this, CheckMode::kQuiet);
    case OptionId::kCheck:
      return set_check(
          *this, argument.has_value && parse_check_is_quiet(argument.value) ? CheckMode::kQuiet : CheckMode::kDiagnose);
    case OptionId::kFiles0From:
      input_names = argument.value;
      return;
    case OptionId::kPlan:
      plan = true;
      return;
    case OptionId::kExplain:
      explain = true;
      return;
    case OptionId::kColumns:
      columns = true;
      return;
    default:
      return;
  }
}

void Request::apply_records(const Argument& argument) {
  switch (argument.option->id) {
    case OptionId::kCsv:
      order.csv = true;
      return;
    case OptionId::kTsv:
      order.tsv = true;
      return;
    case OptionId::kNoHeader:
      no_header = true;
      return;
    case OptionId::kQuote:
      order.quoting = parse_quoting(argument.value);
      return;
    case OptionId::kEntryStart:
      if (order.entry_start) throw Error("--entry-start is given twice: join the expressions by |");
      order.entry_start =
          RecordStart(argument.value, has_utf8() ? RecordStart::Characters::kUtf8 : RecordStart::Characters::kBytes);
      return;
    case OptionId::kJsonl:
      order.jsonl = true;
      return;
    case OptionId::kBed:
    case OptionId::kVcf:
      return set_genome(order, argument.option->id == OptionId::kBed ? GenomeFile::kBed : GenomeFile::kVcf);
    case OptionId::kHeader:
      options.header_lines = parse_header_lines(argument.value);
      options.header_prefixes = options.header_lines > 0 ? std::vector<std::string>() : std::vector<std::string>{"#"};
      return;
    case OptionId::kNa:
      for (std::string& word : parse_missing_words(argument.value)) {
        order.missing_words.push_back(std::move(word));
      }
      return;
    case OptionId::kFormat:
      format = argument.value;
      return;
    case OptionId::kField:
      fields.push_back(parse_field(argument.value));
      return;
    case OptionId::kZeroTerminated:
      zero_terminated = true;
      return;
    default:
      return;
  }
}

void Request::apply_observation(const Argument& argument) {
  switch (argument.option->id) {
    case OptionId::kDebug:
      debug = true;
      return;
    case OptionId::kVerify:
      options.verify = parse_verify(argument.value);
      return;
    case OptionId::kStrict:
      options.strict = true;
      return;
    case OptionId::kProgress:
      options.progress = parse_progress(argument.value);
      return;
    case OptionId::kStats:
      print_stats = true;
      return;
    case OptionId::kStatsJson:
      options.stats_json_path = argument.value;
      return;
    case OptionId::kReport:
      options.report_path = argument.value;
      return;
    case OptionId::kTrace:
      options.trace_path = argument.value;
      return;
    default:
      return;
  }
}

void Request::apply_shards(const Argument& argument) {
  const std::string& value = argument.value;
  switch (argument.option->id) {
    case OptionId::kForm:
      shard_directory = value;
      return;
    case OptionId::kBytes:
      bytes = parse_byte_range(value);
      return;
    case OptionId::kPlace:
      place = parse_place(value);
      return;
    case OptionId::kSamples:
      samples = parse_sample_count(value);
      return;
    case OptionId::kSharedHeader:
      shared_header = value;
      return;
    case OptionId::kCut:
      bounds = value;
      return;
    case OptionId::kMergeRuns:
      slice_plan = value;
      return;
    default:
      return;
  }
}

}  // namespace sortie::cli
