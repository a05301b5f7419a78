// An object for every thread that asks for one. Unlike those of `thread_local` it needs no destructor to be noted for
// the thread's end, for which glibc ends the process when memory is exhausted. Used where making one costs much.
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <memory>

namespace sortie {

/// local() is the calling thread's object: made from nothing when it first asks, or left by a thread that has ended.
/// All go with the owner. Throws std::bad_alloc. oneTBB's own allocator would hide from leak detectors what the objects
/// hold.
template <class Object>
using OnePerThread = tbb::enumerable_thread_specific<Object, std::allocator<Object>, tbb::ets_key_per_instance>;

}  // namespace sortie
