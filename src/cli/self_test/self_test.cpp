#include "cli/self_test/self_test.hpp"

#include <algorithm>
#include <chrono>
#include <clocale>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <sortie/sort.hpp>

#include "cli/self_test/checks.hpp"
#include "cli/self_test/library_sorts.hpp"

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
    const SortOptions asked = std::exchange(resources_, without_gpu(resources_));
    if (asked_for != EngineChoice::kGpu) check_engine(EngineChoice::kCpu);
    resources_ = asked;
    if (asked_for != EngineChoice::kCpu) {
      const std::string reason = why_no_gpu();
      if (reason.empty()) {
        check_engine(EngineChoice::kGpu);
      } else if (asked_for == EngineChoice::kGpu) {
        show("gpu", "the engine", "", reason);
      } else {
        print_("none  gpu  " + reason + "\n");
      }
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    conclude(elapsed.count());
    return failed_ == 0;
  }

 private:
  static SortOptions without_gpu(SortOptions resources) {
    const SortOptions none;
    resources.devices = none.devices;
    resources.all_devices = none.all_devices;
    resources.device_memory_bytes = none.device_memory_bytes;
    resources.algorithm = none.algorithm;
    return resources;
  }

  /// Empty if sorts can take a GPU.
  std::string why_no_gpu() {
    SortOptions options = options_of({"--format=u64"}, resources_);
    options.engine = EngineChoice::kGpu;
    options.source = source_of("12345678");
    return caught([&] {
      sorted(options);
      return std::string();
    });
  }

  void check_engine(EngineChoice engine) {
    resources_.engine = engine;
    name_ = engine == EngineChoice::kCpu ? "cpu" : "gpu";
    const bool on_gpu = engine == EngineChoice::kGpu;
    for (const auto& checks : {line_checks(), form_checks(), record_checks()}) {
      for (const SortCheck& check : checks) {
        // A GPU has room for the small samples at once.
        check_sort(check, on_gpu ? kForSmallSamplesOnGpu : kForSmallSamples, check.spills && !on_gpu);
      }
    }
    check_sort(large_check(), kForLargeSample, true);
    for (const FileCheck& check : file_checks()) check_files(check);
  }

  void check_sort(const SortCheck& check, LittleMemory little, bool must_spill) {
    std::optional<LocaleScope> locale;
    if (!check.locale) locale.emplace("C");
    std::string what(check.name);
    if (check.locale) what.append(" ").append(std::setlocale(LC_COLLATE, nullptr));
    std::uint64_t runs = 0;
    const std::string fault = caught([&] {
      const Sample sample = check.make();
      const Sorted in_memory = sorted_by(check, sample.input, resources_);
      std::string found = check.fault(sample.expected, in_memory.bytes);
      if (!found.empty()) return "in memory: " + found;
      const Sorted by_runs = sorted_by(check, sample.input, with_little_memory(little));
      runs = by_runs.report.runs_spilled;
      found = check.fault(sample.expected, by_runs.bytes);
      if (!found.empty()) return "by " + std::to_string(runs) + " runs: " + found;
      const bool has_one_result = check.fault != fault_of_shuffle;
      if (has_one_result && by_runs.bytes != in_memory.bytes)
        return std::string("by runs another order than in memory");
      return std::string(must_spill && runs == 0 ? "nothing is kept on scratch" : "");
    });
    show(name_, what, ": in memory, " + (runs > 0 ? "by " + std::to_string(runs) + " runs" : "in little memory"),
         fault);
  }

  void check_files(const FileCheck& check) {
    const LocaleScope locale("C");
    show(name_, check.name, "", caught([&] { return check.fault({resources_, folder_, names_}); }));
  }

  SortOptions with_little_memory(LittleMemory little) const {
    SortOptions options = resources_;
    options.memory_bytes = std::min(options.memory_bytes, little.host_bytes);
    const bool is_bounded = options.device_memory_bytes != 0 && options.device_memory_bytes < little.device_bytes;
    const bool takes_it = options.engine == EngineChoice::kGpu && little.device_bytes != 0;
    if (takes_it && !is_bounded) options.device_memory_bytes = little.device_bytes;
    return options;
  }

  Sorted sorted_by(const SortCheck& check, std::string_view input, const SortOptions& resources) {
    SortOptions options = options_of(check.words, resources);
    options.source = source_of(input);
    Sorted result = sorted(std::move(options));
    // Where few records are kept, no engine sorts many.
    if (check.spills && result.report.engine != name_) throw Error("the " + result.report.engine + " engine sorts");
    return result;
  }

  static std::string caught(const std::function<std::string()>& fault) {
    try {
      return fault();
    } catch (const std::bad_alloc&) {
      return "memory exhausted: raise the limit on it";
    } catch (const std::exception& error) {
      return error.what();
    }
  }

  void show(std::string_view engine, std::string_view what, std::string_view how, std::string_view fault) {
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
