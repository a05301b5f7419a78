#include <charconv>

#include <sortie/error.hpp>

#include "bench/kernels/bench_run.hpp"

namespace sortie::bench {
namespace {

constexpr unsigned kSmallestLog2 = 10;
constexpr unsigned kLargestLog2 = 30;

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts(1);
  for (const char c : list) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

unsigned parse_number(const std::string& text, unsigned low, unsigned high, const std::string& option) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < low || value > high) {
    throw Error(option + ": '" + text + "' is not a number from " + std::to_string(low) + " to " +
                std::to_string(high));
  }
  return value;
}

KeyDistribution parse_distribution(const std::string& name) {
  std::string names;
  for (const KeyDistribution distribution : kAllKeyDistributions) {
    if (to_string(distribution) == name) return distribution;
    names += ' ';
    names += to_string(distribution);
  }
  throw Error("--distributions: '" + name + "' is none of" + names);
}

void set_option(BenchOptions& options, const std::string& name, const std::string& value) {
  if (name == "--sizes") {
    options.log2_sizes.clear();
    if (value == "all") {
      for (unsigned size = kSmallestLog2; size <= kLargestLog2; ++size) options.log2_sizes.push_back(size);
      return;
    }
    for (const std::string& size : split(value)) {
      options.log2_sizes.push_back(parse_number(size, kSmallestLog2, kLargestLog2, name));
    }
  } else if (name == "--distributions") {
    options.distributions.clear();
    if (value == "all") {
      options.distributions.assign(std::begin(kAllKeyDistributions), std::end(kAllKeyDistributions));
      return;
    }
    for (const std::string& part : split(value)) options.distributions.push_back(parse_distribution(part));
  } else if (name == "--filter") {
    options.filter = value;
  } else if (name == "--json") {
    options.json_path = value;
  } else if (name == "--repeats") {
    options.repeats = parse_number(value, 7, 1000, name);
  } else {
    throw Error("unknown option " + name + "; see kernels --help");
  }
}

}  // namespace

BenchOptions parse_options(int argument_count, char** arguments) {
  BenchOptions options;
  for (int i = 1; i < argument_count; ++i) {
    const std::string argument = arguments[i];
    const std::size_t equals = argument.find('=');
    const std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    set_option(options, argument.substr(0, equals), value);
  }
  return options;
}

}  // namespace sortie::bench
