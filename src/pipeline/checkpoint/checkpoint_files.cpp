#include "pipeline/checkpoint/checkpoint_files.hpp"

#include <span>

#include <sortie/error.hpp>

#include "base/whole_number.hpp"
#include "pipeline/checkpoint/manifest.hpp"
#include "run/run_format.hpp"

namespace sortie {
namespace {

constexpr std::string_view kRunPrefix = "sortie-run-";
constexpr std::string_view kNewManifestPrefix = "sortie-manifest-";
constexpr std::string_view kNewManifestSuffix = ".new";
/// The first line of a manifest is shorter.
constexpr std::size_t kLongestHeaderLine = 4096;

/// The job whose new manifest has this name; nothing if it is no such name.
std::optional<std::uint64_t> parse_new_manifest_name(std::string_view name) {
  if (!name.starts_with(kNewManifestPrefix)) return std::nullopt;
  const auto job_id = whole_number<std::uint64_t>(name.substr(kNewManifestPrefix.size()).substr(0, kHexDigits), 16);
  return job_id && new_manifest_name(*job_id) == name ? job_id : std::nullopt;
}

/// The first `bytes` of a file, or all of it if it is shorter. Nothing if it cannot be read or is no regular file.
std::optional<std::string> read_beginning(PrivateDirectory& directory, const std::string& name, std::size_t bytes) {
  try {
    const std::unique_ptr<File> file = directory.open(name);
    if (!file) return std::nullopt;
    std::string text(bytes, '\0');
    text.resize(file->read_at(0, std::as_writable_bytes(std::span(text))));
    return text;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

std::string run_name(const RunIdentity& run) {
  return std::string(kRunPrefix) + hex_digits(run.job_id) + "-" + std::to_string(run.run_number);
}

std::string new_manifest_name(std::uint64_t job_id) {
  return std::string(kNewManifestPrefix) + hex_digits(job_id) + std::string(kNewManifestSuffix);
}

bool is_checkpoint_name(std::string_view name) {
  return name == kManifestName || parse_run_name(name) || parse_new_manifest_name(name);
}

std::optional<RunIdentity> parse_run_name(std::string_view name) {
  if (!name.starts_with(kRunPrefix) || name.size() <= kRunPrefix.size() + kHexDigits + 1) return std::nullopt;
  const auto job_id = whole_number<std::uint64_t>(name.substr(kRunPrefix.size(), kHexDigits), 16);
  const auto number = whole_number<std::uint64_t>(name.substr(kRunPrefix.size() + kHexDigits + 1), 10);
  if (!job_id || !number || run_name({*job_id, *number}) != name) return std::nullopt;
  return RunIdentity{*job_id, *number};
}

bool is_left_of_run(PrivateDirectory& directory, const std::string& name, const RunIdentity& run) {
  const auto beginning = read_beginning(directory, name, kRunHeaderBytes);
  return beginning && may_begin_run_file(std::as_bytes(std::span(*beginning)), run);
}

bool is_left_of_new_manifest(PrivateDirectory& directory, const std::string& name) {
  const auto job_id = parse_new_manifest_name(name);
  if (!job_id) return false;
  auto text = read_beginning(directory, name, kLongestHeaderLine);
  if (!text || text->size() == kLongestHeaderLine) return false;
  text->resize(text->find_last_not_of('\0') + 1);  // zeros stand for bytes that did not reach the disk
  const std::string expected = Manifest::beginning_of_header(*job_id);
  return std::string_view(*text).substr(0, expected.size()) == std::string_view(expected).substr(0, text->size());
}

}  // namespace sortie
