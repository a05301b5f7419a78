// A GPU module of this version whose types have other sizes, so that it must not be opened.
#include <cstdlib>

#include "engine/gpu_module.hpp"

namespace {

constexpr sortie::GpuModule kModule = {sortie::kGpuModuleVersion, sortie::kGpuModuleLayout + 1,
                                       [](const sortie::GpuHost&) -> const sortie::Gpus* { std::abort(); }, nullptr};

}  // namespace

extern "C" __attribute__((visibility("default"))) const sortie::GpuModule* sortie_gpu_module() { return &kModule; }
