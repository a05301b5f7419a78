#include "base/visible_devices.hpp"

#include <dirent.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

#include "base/whole_number.hpp"

namespace sortie {
namespace {

constexpr char kVariable[] = "CUDA_VISIBLE_DEVICES";
constexpr std::string_view kDevicePrefix = "nvidia";

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

bool is_device_name(std::string_view name) {
  return name.starts_with(kDevicePrefix) && is_number(name.substr(kDevicePrefix.size()));
}

/// Whether CUDA takes the entry for a GPU: a number among those installed, or an identifier, which only CUDA can judge.
bool makes_sense(std::string_view entry, unsigned installed) {
  if (!is_number(entry)) return entry.starts_with("GPU-") || entry.starts_with("MIG-");
  return whole_number<unsigned>(entry).value_or(installed) < installed;
}

/// The entries of the setting for the GPUs that CUDA sees, in its order.
std::vector<std::string> visible_entries(const std::optional<std::string>& setting, unsigned installed) {
  std::vector<std::string> entries;
  if (!setting) {
    for (unsigned number = 0; number < installed; ++number) entries.push_back(std::to_string(number));
    return entries;
  }
  std::string_view rest = *setting;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view entry = trimmed(rest.substr(0, comma));
    if (!makes_sense(entry, installed)) break;
    entries.emplace_back(entry);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return entries;
}

}  // namespace

std::optional<std::string> visible_devices_setting() {
  const char* const value = std::getenv(kVariable);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

// Does not use the iterator of the standard library: that of libstdc++ 12 ends the process when memory is exhausted.
unsigned installed_device_count(const std::string& device_folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(device_folder.c_str()), ::closedir);
  if (!folder) return 0;
  unsigned count = 0;
  while (const dirent* const file = ::readdir(folder.get())) count += is_device_name(file->d_name) ? 1 : 0;
  return count;
}

unsigned visible_device_count(const std::optional<std::string>& setting, unsigned installed) {
  return installed == 0 ? 0 : static_cast<unsigned>(visible_entries(setting, installed).size());
}

std::optional<std::string> narrowed_setting(const std::optional<std::string>& setting, unsigned installed,
                                            std::span<const int> wanted) {
  if (installed == 0 || wanted.empty()) return std::nullopt;
  const std::vector<std::string> entries = visible_entries(setting, installed);
  std::string narrowed;
  for (const int number : wanted) {
    if (number < 0 || static_cast<std::size_t>(number) >= entries.size()) return std::nullopt;
    narrowed.append(narrowed.empty() ? "" : ",").append(entries[static_cast<std::size_t>(number)]);
  }
  return narrowed;
}

}  // namespace sortie
