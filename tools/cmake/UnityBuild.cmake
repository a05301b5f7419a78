# Compiles the sources of a folder as one, which takes a third of the time: for builds from scratch, in tools/quickstart,
# tools/test and under sanitizers.
option(SORTIE_UNITY "Compile the sources of a folder as one" OFF)

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

# sortie_precompile_library(TARGET) does so with the standard headers that the library includes most.
function(sortie_precompile_library target)
  sortie_precompile(${target} libraries <algorithm> <array> <atomic> <chrono> <condition_variable> <cstring> <functional>
    <future> <map> <memory> <mutex> <optional> <set> <span> <stop_token> <string> <string_view> <thread> <utility> <vector>)
endfunction()
