# Compiles the sources of a folder as one, which takes a third of the time: for builds from scratch, in tools/quickstart,
# tools/test and under sanitizers.
option(SORTIE_UNITY "Compile the sources of a folder as one" OFF)

# A tenth of the time of such a build goes into GCC's collection of its garbage. It collects none where each processor has 3 GB:
# the largest source takes 1.9 GB then.
if(SORTIE_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  cmake_host_system_information(RESULT memory_mib QUERY TOTAL_PHYSICAL_MEMORY)
  cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
  foreach(limit /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes)
    if(EXISTS ${limit})
      file(STRINGS ${limit} limit_bytes REGEX "^[0-9]+$")
      if(limit_bytes)
        math(EXPR limit_mib "${limit_bytes} / 1048576")
        if(limit_mib LESS memory_mib)
          set(memory_mib ${limit_mib})
        endif()
      endif()
    endif()
  endforeach()
  math(EXPR needed_mib "3000 * ${processors}")
  if(memory_mib GREATER_EQUAL needed_mib)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=3000000>)
  endif()
endif()

# sortie_unite(TARGET) groups sources by folder. A name in an unnamed namespace then need only be unique in its folder;
# a name that is not does not compile here.
function(sortie_unite target)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER "${folder}" group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${SORTIE_UNITY} UNITY_BUILD_MODE GROUP)
endfunction()

# sortie_precompile(TARGET KIND HEADER...) compiles headers that nearly all sources of several targets include once, with
# the first target of this kind. Targets of one kind are compiled with the same options. For unity builds only: other
# builds show which includes a source lacks.
function(sortie_precompile target kind)
  if(NOT SORTIE_UNITY)
    return()
  endif()
  get_property(owner GLOBAL PROPERTY sortie_precompiled_for_${kind})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
    set_property(GLOBAL PROPERTY sortie_precompiled_for_${kind} ${target})
  endif()
endfunction()

# sortie_precompile_library(TARGET) does so with the standard headers that the library includes most. Cold code has its own:
# it is compiled with other options.
function(sortie_precompile_library target)
  set(kind libraries)
  get_target_property(is_cold ${target} SORTIE_IS_COLD)
  if(is_cold)
    set(kind cold_libraries)
  endif()
  sortie_precompile(${target} ${kind} <algorithm> <array> <atomic> <chrono> <condition_variable> <cstring> <functional>
    <future> <map> <memory> <mutex> <optional> <set> <span> <stop_token> <string> <string_view> <thread> <utility> <vector>)
endfunction()
