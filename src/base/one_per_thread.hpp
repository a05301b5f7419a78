// An object for every thread that asks for one. Unlike `thread_local` it registers no destructor for the end of the
// thread: when that fails for lack of memory, glibc ends the process. Used for objects that are expensive to make.
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <memory>

namespace sortie {

/// local() is the calling thread's object: default-constructed when it first asks, or left by a thread that has ended.
/// All objects are destroyed with the owner. Throws std::bad_alloc. The allocator is not oneTBB's, because leak
/// detectors do not search that one's memory.
template <class Object>
using OnePerThread = tbb::enumerable_thread_specific<Object, std::allocator<Object>, tbb::ets_key_per_instance>;

}  // namespace sortie
