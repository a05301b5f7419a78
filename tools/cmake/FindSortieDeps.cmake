# Dependencies that have no CMake package of their own in Debian: zstd, zlib, xxHash, Highway.
include(FindPackageHandleStandardArgs)

function(sortie_find_library target library header)
  string(TOUPPER ${library} upper)
  find_library(SORTIE_${upper}_LIBRARY ${library})
  find_path(SORTIE_${upper}_INCLUDE ${header})
  if(SORTIE_${upper}_LIBRARY AND SORTIE_${upper}_INCLUDE AND NOT TARGET ${target})
    add_library(${target} UNKNOWN IMPORTED)
    set_target_properties(${target} PROPERTIES
      IMPORTED_LOCATION ${SORTIE_${upper}_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${SORTIE_${upper}_INCLUDE})
  endif()
endfunction()

sortie_find_library(sortie_deps::zstd zstd zstd.h)
sortie_find_library(sortie_deps::zlib z zlib.h)
sortie_find_library(sortie_deps::xxhash xxhash xxhash.h)
sortie_find_library(sortie_deps::hwy hwy hwy/highway.h)
# Highway as headers alone: its library is the GPU module's.
if(SORTIE_HWY_INCLUDE AND NOT TARGET sortie_deps::hwy_headers)
  add_library(sortie_deps::hwy_headers INTERFACE IMPORTED)
  set_target_properties(sortie_deps::hwy_headers PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${SORTIE_HWY_INCLUDE})
endif()

find_package_handle_standard_args(SortieDeps REQUIRED_VARS
  SORTIE_ZSTD_LIBRARY SORTIE_ZSTD_INCLUDE SORTIE_Z_LIBRARY SORTIE_Z_INCLUDE SORTIE_XXHASH_LIBRARY SORTIE_XXHASH_INCLUDE
  SORTIE_HWY_LIBRARY SORTIE_HWY_INCLUDE)
