// How soon a sort ends once it is asked to: sorts of many kinds are stopped at several moments. Prints the longest time
// of each in milliseconds, from the request until sort() has thrown Stopped.
//
//   stop_latency [MEGABYTES] [DIRECTORY] [JOB]      default: 60 /dev/shm, all; JOB is a part of a name
//
// The status is 1 if a sort leaves a file behind, or ends by anything but a stop.
#include <algorithm>
#include <chrono>
#include <clocale>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <sortie/sort.hpp>
#include <sortie/text_keys.hpp>

namespace {

using Clock = std::chrono::steady_clock;

// Parts of the time that the whole sort takes, at which it is stopped.
constexpr double kMoments[] = {0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95};

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

struct Job {
  const char* name;
  std::function<void(sortie::SortOptions&)> choose;
};

class Bench {
 public:
  Bench(std::size_t bytes, const std::filesystem::path& parent) : folder_(parent / "sortie-stop-latency") {
    if (!std::filesystem::create_directory(folder_)) {
      std::fprintf(stderr, "stop_latency: %s exists: remove it\n", folder_.c_str());
      std::exit(2);
    }
    std::filesystem::create_directory(folder_ / "out");
    std::string text;
    while (text.size() < bytes) {
      state_ = state_ * 6364136223846793005 + 1442695040888963407;
      text += std::to_string(state_ >> 33) + " " + std::to_string(state_) + "\n";
    }
    save("lines", text);
    text.assign(bytes / 2, 'q');
    text += '\n' + std::string(bytes / 2, 'p') + '\n';
    save("long", text);
    text.clear();
    while (text.size() < bytes) text += (text.size() & 64) != 0 ? "a-b c\n" : "A b-c\n";
    save("equal", text);
    text.clear();
    while (text.size() < bytes / 2) {
      state_ = state_ * 6364136223846793005 + 1442695040888963407;
      for (char letter = 'a'; letter < 'm'; ++letter)
        text += (state_ >> (letter - 60) & 1) != 0 ? letter : char(letter - 32);
      text += '\n';
    }
    save("tie", text);
  }
  ~Bench() { std::filesystem::remove_all(folder_); }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  std::string path(const std::string& name) const { return folder_ / name; }

  // Packs the lines by sorting them once.
  void pack(const std::string& suffix) const {
    sortie::sort(with([&](auto& chosen) { chosen.output = path("lines" + suffix); }));
  }

  void time(const Job& job) {
    const auto begin = Clock::now();
    sortie::sort(with(job.choose));
    const double whole = milliseconds_since(begin);
    clear();
    double worst = 0;
    int stops = 0;
    for (const double moment : kMoments) {
      std::stop_source stop;
      sortie::SortOptions options = with(job.choose);
      options.stop = stop.get_token();
      Clock::time_point asked;
      std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(moment * whole));
        asked = Clock::now();
        stop.request_stop();
      });
      try {
        sortie::sort(options);
        stopper.join();
      } catch (const sortie::Stopped&) {
        const double milliseconds = milliseconds_since(asked);
        stopper.join();
        worst = std::max(worst, milliseconds);
        ++stops;
        if (!std::filesystem::is_empty(folder_ / "out")) fail(job, "left a file");
      } catch (const std::exception& error) {
        fail(job, error.what());
      }
      clear();
    }
    std::printf("%-28s %7.0f ms whole, %d stops, at most %4.0f ms\n", job.name, whole, stops, worst);
    std::fflush(stdout);
  }

  bool has_failed() const { return has_failed_; }

 private:
  void save(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

  sortie::SortOptions with(const std::function<void(sortie::SortOptions&)>& choose) const {
    sortie::SortOptions options;
    options.inputs = {path("lines")};
    options.output = path("out/sorted");
    options.scratch_directories = {path("out")};
    options.memory_bytes = std::uint64_t{1} << 30;
    choose(options);
    return options;
  }

  void clear() const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "out")) {
      std::filesystem::remove_all(entry.path());
    }
  }

  void fail(const Job& job, const char* what) {
    has_failed_ = true;
    std::fprintf(stderr, "stop_latency: %s: %s\n", job.name, what);
  }

  const std::filesystem::path folder_;
  std::uint64_t state_ = 1;
  bool has_failed_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  const double megabytes = argc > 1 ? std::atof(argv[1]) : 60;
  Bench bench(static_cast<std::size_t>(megabytes * 1e6), argc > 2 ? argv[2] : "/dev/shm");
  if (std::setlocale(LC_ALL, "en_US.UTF-8") == nullptr) std::fputs("stop_latency: no en_US.UTF-8: no ties\n", stderr);
  using Options = sortie::SortOptions;
  const auto output_to = [&](const char* name) {
    return [path = bench.path(name)](Options& options) { options.output = path; };
  };
  const auto input_from = [&](const char* name) {
    return [path = bench.path(name)](Options& options) { options.inputs = {path}; };
  };
  const std::vector<Job> jobs = {
      {"in memory", [](Options&) {}},
      {"runs in scratch files", [](Options& options) { options.memory_bytes = 4 << 20; }},
      {"many small runs", [](Options& options) { options.memory_bytes = 300 << 10; }},
      {"runs packed by zstd 19",
       [](Options& options) {
         options.memory_bytes = 16 << 20;
         options.compression = sortie::Compression::kZstd;
         options.compression_level = 19;
       }},
      {"runs packed by a program",
       [](Options& options) {
         options.memory_bytes = 8 << 20;
         options.compress_program = "gzip";
       }},
      {"from .gz", input_from("lines.gz")},
      {"from .bz2", input_from("lines.bz2")},
      {"from .zst", input_from("lines.zst")},
      {"to .gz", output_to("out/sorted.gz")},
      {"to .bz2", output_to("out/sorted.bz2")},
      {"to .zst", output_to("out/sorted.zst")},
      {"equal lines", input_from("equal")},
      {"equal lines counted",
       [&](Options& options) {
         options.inputs = {bench.path("equal")};
         options.count = true;
       }},
      {"a tie in a locale",
       [&](Options& options) {
         options.inputs = {bench.path("tie")};
         options.format.text.locale = true;
       }},
      {"the same in scratch files",
       [&](Options& options) {
         options.inputs = {bench.path("tie")};
         options.format.text.locale = true;
         options.memory_bytes = 4 << 20;
       }},
      {"two long lines", input_from("long")},
      {"the first million", [](Options& options) { options.top_records = 1'000'000; }},
      {"by two keys",
       [](Options& options) {
         options.format.text.keys = {sortie::parse_text_key("2,2nr"), sortie::parse_text_key("1,1")};
       }},
      {"merge of files out of order",
       [&](Options& options) {
         options.inputs = {bench.path("lines"), bench.path("equal")};
         options.merge_only = true;
       }},
  };
  for (const Job& job : jobs) {
    const std::string name = job.name;
    if (argc > 3 && name.find(argv[3]) == std::string::npos) continue;
    if (name.starts_with("from ")) bench.pack(name.substr(name.find('.')));
    bench.time(job);
  }
  return bench.has_failed() ? 1 : 0;
}
