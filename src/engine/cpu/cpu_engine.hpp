// The engine of machines without a GPU.
#pragma once

#include <memory>

#include <sortie/format.hpp>

#include "engine/engine.hpp"

namespace sortie {

/// Works in the task arena of the calling thread.
std::unique_ptr<Engine> make_cpu_engine(const Format& format);

}  // namespace sortie
