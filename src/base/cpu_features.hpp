// What the processor can do: SORTIE_CPU_HAS(AVX2, "avx2"). Asked where code for some processors stands beside that for
// all.
#pragma once

#if defined(__x86_64__)

// Clang does not take it for C++.
#if __has_include(<sys/platform/x86.h>) && !defined(__clang__)
#include <sys/platform/x86.h>
#endif

// glibc knows what the processor has. To ask the processor takes some 30 us in a virtual machine, even before main().
#ifdef CPU_FEATURE_ACTIVE
#define SORTIE_CPU_HAS(name, builtin_name) (CPU_FEATURE_ACTIVE(name))
#else
#define SORTIE_CPU_HAS(name, builtin_name) (__builtin_cpu_supports(builtin_name) != 0)
#endif

#endif
