// A GPU module of another version, which must not be opened.
#include <cstdlib>

#include "engine/gpu_module.hpp"

namespace {

constexpr sortie::GpuModule kModule = {"0.0.0/0", sortie::kGpuModuleLayout,
                                       [](const sortie::GpuHost&) -> const sortie::Gpus* { std::abort(); }, nullptr};

}  // namespace

extern "C" __attribute__((visibility("default"))) const sortie::GpuModule* sortie_gpu_module() { return &kModule; }
