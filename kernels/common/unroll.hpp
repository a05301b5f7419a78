// SORTIE_UNROLL stands before loops of host and device code that the GPU's compiler must unroll, so that the arrays
// they fill stay in registers. Host compilers see an empty word.
#pragma once

#if defined(__CUDACC__)
#define SORTIE_UNROLL _Pragma("unroll")
#else
#define SORTIE_UNROLL
#endif
