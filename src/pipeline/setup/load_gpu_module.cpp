#include "pipeline/setup/load_gpu_module.hpp"

#include "base/thread_team.hpp"
#include "pipeline/setup/module_file.hpp"

namespace sortie {
namespace {

constexpr ModuleName kGpuModule{kGpuModuleFile, kGpuModuleSymbol, "the GPU module"};

LoadedGpus open_module(const LoadedModule& loaded) {
  if (loaded.function == nullptr) return {nullptr, loaded.reason};
  const GpuModule& module = *reinterpret_cast<const GpuModule* (*)()>(loaded.function)();
  const std::string name = loaded.shown.empty() ? "the GPU engine" : loaded.shown;
  if (module.version != std::string(kGpuModuleVersion)) {
    return {nullptr, name + " is of version " + module.version + ", this is " + kGpuModuleVersion};
  }
  if (module.layout != kGpuModuleLayout) {
    return {nullptr, name + " was built from another tree than this: install it again"};
  }
  return {module.open({ThreadTeam::slot()}), "", module.device_functions};
}

}  // namespace

bool has_gpu_module() { return has_module(kGpuModule); }

std::string no_gpu_module() { return no_module(kGpuModule); }

LoadedGpus load_gpu_module(const std::string& file) { return open_module(load_module(kGpuModule, file)); }

LoadedGpus load_gpu_module() { return open_module(load_module(kGpuModule)); }

}  // namespace sortie
