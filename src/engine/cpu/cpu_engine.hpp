// The engine of machines without a GPU.
#pragma once

#include <memory>

#include <sortie/format.hpp>

#include "engine/engine.hpp"

namespace sortie {

/// The engine works with the thread team of whoever calls it.
std::unique_ptr<Engine> make_cpu_engine(const Format& format);

}  // namespace sortie
