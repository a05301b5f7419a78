// Sorts lines that the program makes and takes them back, without files; then stops another sort half-way:
// sort_stream MEGABYTES
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include <sortie/sorter.hpp>

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// Makes hexadecimal numbers that look random.
class Lines {
 public:
  std::span<const std::byte> next() {
    text_.clear();
    while (text_.size() < (1 << 16)) {
      state_ = state_ * 6364136223846793005 + 1442695040888963407;
      for (int bits = 60; bits >= 0; bits -= 4) text_.push_back("0123456789abcdef"[state_ >> bits & 15]);
      text_.push_back('\n');
    }
    return std::as_bytes(std::span(text_));
  }

 private:
  std::string text_;
  std::uint64_t state_ = 1;
};

sortie::SortOptions options_for(std::uint64_t bytes) {
  sortie::SortOptions options;
  options.memory_bytes = std::max<std::uint64_t>(bytes / 4, 1 << 20);
  return options;
}

void push(sortie::Sorter& sorter, Lines& lines, std::uint64_t bytes) {
  for (std::uint64_t pushed = 0; pushed < bytes;) {
    const std::span<const std::byte> part = lines.next();
    sorter.push(part);
    pushed += part.size();
  }
}

bool sorts(std::uint64_t bytes) {
  sortie::Sorter sorter(options_for(bytes));
  Lines lines;
  push(sorter, lines, bytes);
  std::string last;
  std::uint64_t records = 0;
  for (auto part = sorter.pull(); !part.empty(); part = sorter.pull()) {
    std::string_view rest(reinterpret_cast<const char*>(part.data()), part.size());
    for (; !rest.empty(); rest.remove_prefix(17)) {
      const std::string_view line = rest.substr(0, 17);
      if (line < last) return false;
      last = line;
      ++records;
    }
  }
  std::printf("%llu records sorted, %llu runs\n", static_cast<unsigned long long>(records),
              static_cast<unsigned long long>(sorter.report().runs));
  return records == sorter.report().output_records && records >= bytes / 17;
}

// Stops a sort while its input is pushed, and one while it is sorted; both are gone when this returns.
bool stops(std::uint64_t bytes) {
  for (const double share : {0.5, 1.0}) {
    std::stop_source stop;
    sortie::SortOptions options = options_for(bytes);
    options.stop = stop.get_token();
    Clock::time_point asked;
    std::thread stopper;
    try {
      sortie::Sorter sorter(options);
      Lines lines;
      push(sorter, lines, static_cast<std::uint64_t>(share * static_cast<double>(bytes)));
      stopper = std::thread([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        asked = Clock::now();
        stop.request_stop();
      });
      while (share < 1) sorter.push(lines.next());
      while (!sorter.pull().empty()) {
      }
      std::fputs("the sort was not stopped\n", stderr);
    } catch (const sortie::Stopped&) {
      stopper.join();
      std::printf("stopped after %.0f ms\n", 1000 * seconds_since(asked));
      continue;
    }
    stopper.join();
    return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t bytes = argc == 2 ? std::strtoull(argv[1], nullptr, 10) * 1'000'000 : 0;
  if (bytes == 0) {
    std::fputs("usage: sort_stream MEGABYTES\n", stderr);
    return 2;
  }
  try {
    return sorts(bytes) && stops(bytes) ? 0 : 1;
  } catch (const sortie::Error& error) {
    std::fprintf(stderr, "sort_stream: %s\n", error.what());
    return 2;
  }
}
