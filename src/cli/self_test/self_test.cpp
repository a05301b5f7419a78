#include "cli/self_test/self_test.hpp"

#include <algorithm>
#include <chrono>
#include <clocale>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sortie/sort.hpp>

#include "cli/options/command_line.hpp"
#include "cli/self_test/check_table.hpp"
#include "cli/self_test/named_file.hpp"
#include "cli/self_test/reference_sort.hpp"

namespace sortie::cli {
namespace {

/// More than a small sample takes.
constexpr std::uint64_t kAmpleMemoryBytes = 64 << 20;

/// How much of host and GPU a sort may use that is to keep runs on scratch. 0: as much of the GPU as it likes.
struct LittleMemory {
  std::uint64_t host_bytes;
  std::uint64_t device_bytes;
};
constexpr LittleMemory kForSmallSamples = {kMinMemoryBytes, 0};
constexpr LittleMemory kForSmallSamplesOnGpu = {8 << 20, 0};
constexpr LittleMemory kForLargeSample = {8 << 20, 16 << 20};

/// The C library's locale for the life of this.
class LocaleScope {
 public:
  explicit LocaleScope(const std::string& name) : before_(std::setlocale(LC_ALL, nullptr)) {
    std::setlocale(LC_ALL, name.c_str());
  }
  ~LocaleScope() { std::setlocale(LC_ALL, before_.c_str()); }
  LocaleScope(const LocaleScope&) = delete;
  LocaleScope& operator=(const LocaleScope&) = delete;

 private:
  std::string before_;
};

struct Sorted {
  std::string bytes;
  SortReport report;
};

RecordSource source_of(std::string_view bytes) {
  return [rest = bytes](std::span<std::byte> target) mutable {
    const std::size_t count = std::min(target.size(), rest.size());
    std::memcpy(target.data(), rest.data(), count);
    rest.remove_prefix(count);
    return count;
  };
}

RecordSink sink_to(std::string& bytes) {
  return [&bytes](std::span<const std::byte> records) {
    bytes.append(reinterpret_cast<const char*>(records.data()), records.size());
  };
}

/// The resources with what a command line says beside them.
SortOptions options_of(const std::vector<std::string>& words, const SortOptions& resources) {
  const SortOptions told = parse_command_line(words, "sortie").options;
  SortOptions options = resources;
  options.format = told.format;
  options.header_lines = told.header_lines;
  options.header_prefixes = told.header_prefixes;
  options.unique = told.unique;
  options.keep_last = told.keep_last;
  options.count = told.count;
  options.key_filter = told.key_filter;
  options.top_records = told.top_records;
  options.merge_only = told.merge_only;
  return options;
}

class SelfTest {
 public:
  SelfTest(const SortOptions& resources, TemporaryNames& names, const PrintLine& print)
      : resources_(resources), names_(names), print_(print) {
    resources_.temporary_names = &names;
    resources_.progress = ProgressMode::kNever;
    if (resources_.memory_bytes == 0) resources_.memory_bytes = kAmpleMemoryBytes;
    const char* folder = std::getenv("TMPDIR");
    folder_ = folder != nullptr && *folder != '\0' ? folder : "/tmp";
    if (!resources_.scratch_directories.empty()) folder_ = resources_.scratch_directories.front();
  }

  bool run() {
    const auto begin = std::chrono::steady_clock::now();
    NamedFile(folder_, "", names_).write("without scratch space nothing can be told");
    const EngineChoice asked_for = resources_.engine;
    if (asked_for != EngineChoice::kGpu) check_engine(EngineChoice::kCpu);
    if (asked_for != EngineChoice::kCpu) {
      const std::string reason = why_no_gpu();
      if (reason.empty()) {
        check_engine(EngineChoice::kGpu);
      } else if (asked_for == EngineChoice::kGpu) {
        tell("gpu", "the engine", "", reason);
      } else {
        print_("none  gpu  " + reason + "\n");
      }
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    conclude(elapsed.count());
    return failed_ == 0;
  }

 private:
  /// Empty if sorts can take a GPU.
  std::string why_no_gpu() {
    SortOptions options = options_of({"--format=u64"}, resources_);
    options.engine = EngineChoice::kGpu;
    std::string bytes;
    options.source = source_of("12345678");
    options.sink = sink_to(bytes);
    try {
      return sort(options).device_failure;
    } catch (const Error& error) {
      return error.what();
    }
  }

  void check_engine(EngineChoice engine) {
    resources_.engine = engine;
    name_ = engine == EngineChoice::kCpu ? "cpu" : "gpu";
    const bool on_gpu = engine == EngineChoice::kGpu;
    for (const SortCheck& check : sort_checks()) {
      // A GPU has room for the small samples at once.
      check_sort(check, on_gpu ? kForSmallSamplesOnGpu : kForSmallSamples, check.spills && !on_gpu);
    }
    check_sort(large_check(), kForLargeSample, true);
    check_by("files", [&] { return fault_of_files(""); });
    for (const std::string suffix : {".gz", ".zst", ".bz2"}) {
      check_by("packed files, " + suffix, [&] { return fault_of_files(suffix); });
    }
    check_by("sorted files merged", [&] { return fault_of_merge(); });
    check_by("a check of the order", [&] { return fault_of_check(); });
  }

  void check_sort(const SortCheck& check, LittleMemory little, bool must_spill) {
    std::optional<LocaleScope> locale;
    if (!check.locale) locale.emplace("C");
    std::string what(check.name);
    if (check.locale) what.append(" ").append(std::setlocale(LC_COLLATE, nullptr));
    std::uint64_t runs = 0;
    const std::string fault = caught([&] {
      const Sample sample = check.make();
      const Sorted in_memory = sorted(check, sample.input, resources_);
      std::string found = check.fault(sample.expected, in_memory.bytes);
      if (!found.empty()) return "in memory: " + found;
      const Sorted by_runs = sorted(check, sample.input, with_little_memory(little));
      runs = by_runs.report.runs_spilled;
      found = check.fault(sample.expected, by_runs.bytes);
      if (!found.empty()) return "by " + std::to_string(runs) + " runs: " + found;
      const bool has_one_result = check.fault != fault_of_shuffle;
      if (has_one_result && by_runs.bytes != in_memory.bytes)
        return std::string("by runs another order than in memory");
      return std::string(must_spill && runs == 0 ? "nothing is kept on scratch" : "");
    });
    tell(name_, what, ": in memory, " + (runs > 0 ? "by " + std::to_string(runs) + " runs" : "in little memory"),
         fault);
  }

  void check_by(const std::string& what, const std::function<std::string()>& fault) {
    const LocaleScope locale("C");
    tell(name_, what, "", caught(fault));
  }

  SortOptions with_little_memory(LittleMemory little) const {
    SortOptions options = resources_;
    options.memory_bytes = std::min(options.memory_bytes, little.host_bytes);
    const bool is_bounded = options.device_memory_bytes != 0 && options.device_memory_bytes < little.device_bytes;
    if (little.device_bytes != 0 && !is_bounded) options.device_memory_bytes = little.device_bytes;
    return options;
  }

  Sorted sorted(const SortCheck& check, std::string_view input, const SortOptions& resources) {
    SortOptions options = options_of(check.words, resources);
    options.source = source_of(input);
    Sorted result = sorted(std::move(options));
    // Where few records are kept, no engine sorts many.
    if (check.spills && result.report.engine != name_) throw Error("the " + result.report.engine + " engine sorts");
    return result;
  }

  Sorted sorted(SortOptions options) {
    Sorted result;
    if (options.output == "-") options.sink = sink_to(result.bytes);
    result.report = sort(options);
    if (!result.report.device_failure.empty()) throw Error(result.report.device_failure);
    return result;
  }

  std::string fault_of_files(std::string_view suffix) {
    const std::string lines = sample_lines();
    const NamedFile file(folder_, suffix, names_);
    SortOptions options = options_of({"-s", "-k1.1,1.1"}, resources_);
    options.source = source_of(lines);
    options.output = file.path();
    sorted(options);
    if (suffix.empty() == (file.read().size() < lines.size())) return "the file is not as long as it should be";
    options = options_of({}, resources_);
    options.inputs = {file.path()};
    return difference(sorted_lines(lines), sorted(options).bytes);
  }

  std::string fault_of_merge() {
    const std::string lines = sample_lines();
    const RecordList list = lines_of(lines);
    SortOptions options = options_of({"-m"}, resources_);
    std::vector<std::unique_ptr<NamedFile>> files;
    for (std::size_t begin = 0; begin < list.size(); begin += list.size() / 4 + 1) {
      const auto end = list.begin() + static_cast<std::ptrdiff_t>(std::min(begin + list.size() / 4 + 1, list.size()));
      const std::string share = joined(RecordList(list.begin() + static_cast<std::ptrdiff_t>(begin), end));
      files.push_back(std::make_unique<NamedFile>(folder_, "", names_));
      files.back()->write(sorted_lines(share));
      options.inputs.push_back(files.back()->path());
    }
    return difference(sorted_lines(lines), sorted(options).bytes);
  }

  std::string fault_of_check() {
    const std::string lines = sorted_lines(sample_lines());
    const NamedFile file(folder_, "", names_);
    SortOptions options = options_of({}, resources_);
    options.inputs = {file.path()};
    file.write(lines);
    if (check(options)) return "it takes what is in order for out of order";
    file.write(lines + "a\n");
    const std::optional<Disorder> disorder = check(options);
    if (!disorder) return "it takes what is out of order for in order";
    return disorder->offset == lines.size() ? "" : "it finds the wrong place";
  }

  static std::string caught(const std::function<std::string()>& fault) {
    try {
      return fault();
    } catch (const std::exception& error) {
      return error.what();
    }
  }

  void tell(std::string_view engine, std::string_view what, std::string_view how, std::string_view fault) {
    ++checked_;
    failed_ += fault.empty() ? 0 : 1;
    std::string line(fault.empty() ? "ok    " : "FAIL  ");
    line.append(engine).append("  ").append(what).append(fault.empty() ? how : ": ").append(fault);
    print_(line + "\n");
  }

  void conclude(double seconds) const {
    if (failed_ != 0) return print_(std::to_string(failed_) + " of " + std::to_string(checked_) + " checks failed\n");
    const auto tenths = static_cast<std::uint64_t>(seconds * 10);  // with a point in any locale
    print_("all " + std::to_string(checked_) + " checks passed in " + std::to_string(tenths / 10) + "." +
           std::to_string(tenths % 10) + " s\n");
  }

  SortOptions resources_;
  TemporaryNames& names_;
  const PrintLine& print_;
  std::string folder_;
  std::string name_;  // of the engine
  int checked_ = 0;
  int failed_ = 0;
};

}  // namespace

bool run_self_test(const SortOptions& resources, TemporaryNames& names, const PrintLine& print) {
  return SelfTest(resources, names, print).run();
}

}  // namespace sortie::cli
