# Sanitizers and libFuzzer, for everything that is built. tools/sanitize and tools/fuzz configure with them.
set(SORTIE_SANITIZE "" CACHE STRING "Sanitizers to build with: address,undefined or thread; none if empty")
option(SORTIE_FUZZERS "Build the targets of tests/fuzz for libFuzzer" OFF)

if((SORTIE_SANITIZE OR SORTIE_FUZZERS) AND SORTIE_CUDA)
  message(FATAL_ERROR "SORTIE_SANITIZE and SORTIE_FUZZERS are for the host's code: add -DSORTIE_CUDA=OFF")
endif()

if(SORTIE_SANITIZE)
  # A finding ends the program, so that no test can pass despite it.
  add_compile_options(-fsanitize=${SORTIE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SORTIE_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND SORTIE_SANITIZE MATCHES "address")
    # This check opens descriptors, and reports a fault if none is left.
    add_compile_options(-fno-sanitize=vptr)
    add_link_options(-fno-sanitize=vptr)
  endif()
endif()

if(SORTIE_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "SORTIE_FUZZERS needs libFuzzer, which comes with Clang: add -DCMAKE_CXX_COMPILER=clang++")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()
