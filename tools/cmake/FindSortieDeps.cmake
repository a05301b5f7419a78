# Libraries of which programs take the archive and shared libraries the shared one, or that have no CMake package of their
# own in Debian: Boost.Iostreams and what its archive needs (zstd, zlib, bzip2, lzma), lz4, libdeflate, xxHash, RE2,
# Highway.
include(FindPackageHandleStandardArgs)

# Programs take archives, where there are any: loading shared libraries takes longer than a small sort. Shared libraries
# do not, as the code of an archive need not suit them.
set(sortie_for_programs "$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>")

# sortie_find_library(TARGET LIBRARY HEADER [NEEDED target...]) makes TARGET if the library is found. NEEDED: what its
# archive needs; the shared library brings it along.
function(sortie_find_library target library header)
  cmake_parse_arguments(PARSE_ARGV 3 found "" "" "NEEDED")
  string(TOUPPER ${library} upper)
  find_library(SORTIE_${upper}_LIBRARY ${library})
  find_library(SORTIE_${upper}_ARCHIVE NAMES lib${library}.a)
  find_path(SORTIE_${upper}_INCLUDE ${header})
  mark_as_advanced(SORTIE_${upper}_LIBRARY SORTIE_${upper}_ARCHIVE SORTIE_${upper}_INCLUDE)
  if(SORTIE_${upper}_LIBRARY AND SORTIE_${upper}_INCLUDE AND NOT TARGET ${target})
    set(linked ${SORTIE_${upper}_LIBRARY})
    if(SORTIE_${upper}_ARCHIVE)
      add_library(${target}_archive STATIC IMPORTED)
      set_target_properties(${target}_archive PROPERTIES
        IMPORTED_LOCATION ${SORTIE_${upper}_ARCHIVE}
        INTERFACE_LINK_LIBRARIES "${found_NEEDED}")
      set(linked "$<IF:${sortie_for_programs},${target}_archive,${linked}>")
    endif()
    add_library(${target} INTERFACE IMPORTED)
    set_target_properties(${target} PROPERTIES
      INTERFACE_LINK_LIBRARIES "${linked}"
      INTERFACE_INCLUDE_DIRECTORIES ${SORTIE_${upper}_INCLUDE})
  endif()
endfunction()

sortie_find_library(sortie_deps::zstd zstd zstd.h)
sortie_find_library(sortie_deps::zlib z zlib.h)
sortie_find_library(sortie_deps::bzip2 bz2 bzlib.h)
sortie_find_library(sortie_deps::lzma lzma lzma.h)
sortie_find_library(sortie_deps::iostreams boost_iostreams boost/iostreams/stream.hpp
  NEEDED sortie_deps::zstd sortie_deps::zlib sortie_deps::bzip2 sortie_deps::lzma)
sortie_find_library(sortie_deps::lz4 lz4 lz4frame.h)
sortie_find_library(sortie_deps::deflate deflate libdeflate.h)
sortie_find_library(sortie_deps::xxhash xxhash xxhash.h)
sortie_find_library(sortie_deps::re2 re2 re2/re2.h)
# Only the genomes' module needs it.
sortie_find_library(sortie_deps::hts hts htslib/sam.h)
sortie_find_library(sortie_deps::hwy hwy hwy/highway.h)
# Highway as headers alone: its library is the GPU module's.
if(SORTIE_HWY_INCLUDE AND NOT TARGET sortie_deps::hwy_headers)
  add_library(sortie_deps::hwy_headers INTERFACE IMPORTED)
  set_target_properties(sortie_deps::hwy_headers PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${SORTIE_HWY_INCLUDE})
endif()

# Those that are missing, as Debian calls them.
set(SortieDeps_MISSING)
set(needed)
foreach(library ZSTD=libzstd-dev Z=zlib1g-dev BZ2=libbz2-dev LZMA=liblzma-dev LZ4=liblz4-dev DEFLATE=libdeflate-dev
    BOOST_IOSTREAMS=libboost-iostreams-dev XXHASH=libxxhash-dev RE2=libre2-dev HWY=libhwy-dev)
  string(REGEX MATCH "^([^=]+)=(.+)" library ${library})
  set(parts SORTIE_${CMAKE_MATCH_1}_LIBRARY SORTIE_${CMAKE_MATCH_1}_INCLUDE)
  list(APPEND needed ${parts})
  foreach(part IN LISTS parts)
    if(NOT ${part} AND NOT ${CMAKE_MATCH_2} IN_LIST SortieDeps_MISSING)
      list(APPEND SortieDeps_MISSING ${CMAKE_MATCH_2})
    endif()
  endforeach()
endforeach()
find_package_handle_standard_args(SortieDeps REQUIRED_VARS ${needed})
