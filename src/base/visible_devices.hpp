// Says, without starting CUDA, which GPUs CUDA will start: all that it sees, one after another, whether they are used
// or not. It sees what the environment variable CUDA_VISIBLE_DEVICES lists, or every GPU of the machine.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sortie {

/// The value of CUDA_VISIBLE_DEVICES; nothing if it is not set.
std::optional<std::string> visible_devices_setting();

/// How many GPUs the driver offers to this process, whatever CUDA_VISIBLE_DEVICES says; 0 if that is not known. Counts
/// their device files, since the driver's own list also has GPUs that a container withholds.
unsigned installed_device_count(const std::string& device_folder = "/dev");

/// How many GPUs CUDA sees under `setting` if `installed` are there; 0 if that is not known. CUDA reads a list up to
/// the first entry that makes no sense.
unsigned visible_device_count(const std::optional<std::string>& setting, unsigned installed);

/// The value of CUDA_VISIBLE_DEVICES under which CUDA sees only the `wanted` ones of the GPUs that it sees now,
/// numbered from 0 in that order. Nothing if one of them is missing, as far as is known.
std::optional<std::string> narrowed_setting(const std::optional<std::string>& setting, unsigned installed,
                                            std::span<const int> wanted);

}  // namespace sortie
