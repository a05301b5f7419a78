#include "pipeline/setup/machine.hpp"

#include <algorithm>
#include <numeric>

#include "base/visible_devices.hpp"

namespace sortie {

std::optional<NarrowedDevices> narrow_to(const EngineDecision& decision, const SortOptions& options,
                                         const std::optional<std::string>& setting, unsigned installed) {
  if (!decision.gpu || decision.devices.empty()) return std::nullopt;
  if (decision.devices.size() >= visible_device_count(setting, installed)) return std::nullopt;
  std::vector<int> wanted = decision.devices;
  std::ranges::sort(wanted);
  const std::optional<std::string> visible = narrowed_setting(setting, installed, wanted);
  if (!visible) return std::nullopt;
  NarrowedDevices narrowed{*visible, options.devices};
  std::iota(narrowed.devices.begin(), narrowed.devices.end(), 0);
  return narrowed;
}

std::optional<NarrowedDevices> narrow_to(const EngineDecision& decision, const SortOptions& options) {
  if (!decision.gpu) return std::nullopt;
  return narrow_to(decision, options, visible_devices_setting(), installed_device_count());
}

}  // namespace sortie
