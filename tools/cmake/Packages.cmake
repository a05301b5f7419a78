# Debian packages, by cpack: sortie, the command and its tools, sortie-gpu, the GPU engine's module, and sortie-genomes, the
# module that needs htslib. tools/package builds them and tries them in a clean root.
# A name under .invalid belongs to nobody, now and later (RFC 2606); who gives packages away sets an address of their own.
set(SORTIE_MAINTAINER "Sortie developers <developers@sortie.invalid>" CACHE STRING
  "Who answers for the Debian packages: name and address")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sortie)
set(CPACK_PACKAGE_VENDOR sortie)
set(CPACK_PACKAGE_CONTACT "${SORTIE_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own, in its first line
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL command)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME sortie)
set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS tzdata)  # --zone reads it
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "sortie-gpu, sortie-genomes")
set(CPACK_DEBIAN_COMMAND_DESCRIPTION "sorter of files that are larger than memory
Sortie is a command with the options of GNU sort. Files that do not fit into
memory are sorted in runs, which are merged: lines by keys, also in the order
of a locale, CSV, records of fixed length, length-prefixed ones and arrays of
numbers. All processors work, counts and checksums of input and output are
compared, and the output appears only when it is complete.

sortie-gen makes test data, sortie-check checks order and contents of a file,
and sortie-inspect shows what is in a run file. With the package sortie-gpu
large inputs are sorted on GPUs.")

if(SORTIE_CUDA)
  list(APPEND CPACK_COMPONENTS_ALL gpu)
  set(CPACK_DEBIAN_GPU_PACKAGE_NAME sortie-gpu)
  # Module and command are of one version, or the command does not take it.
  set(CPACK_DEBIAN_GPU_PACKAGE_DEPENDS "sortie (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
  set(CPACK_DEBIAN_GPU_PACKAGE_SUGGESTS libcuda1)
  set(CPACK_DEBIAN_GPU_DESCRIPTION "sorter of files that are larger than memory (GPU engine)
The engine with which Sortie sorts and merges on NVIDIA GPUs, one or several,
in a module that the command loads when an input is large enough for it to
pay. The output has the same bytes. It needs a driver for CUDA 13; without one,
or without a GPU, the command works as before and says why.")
endif()

if(sortie_builds_genomes)
  list(APPEND CPACK_COMPONENTS_ALL genomes)
  set(CPACK_DEBIAN_GENOMES_PACKAGE_NAME sortie-genomes)
  set(CPACK_DEBIAN_GENOMES_PACKAGE_DEPENDS "sortie (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
  set(CPACK_DEBIAN_GENOMES_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_GENOMES_DESCRIPTION "sorter of files that are larger than memory (SAM and CRAM)
What Sortie needs of htslib to sort files of alignments in the forms SAM and
CRAM, in a module that the command loads when it meets such a file. Files of
BAM need no module.")
endif()

# Before they are packed, files take the form that Debian wants.
set(sortie_package_texts ${PROJECT_BINARY_DIR}/packages)
execute_process(COMMAND date --utc --rfc-email --date=${version_day}
  OUTPUT_VARIABLE version_time OUTPUT_STRIP_TRAILING_WHITESPACE)
foreach(package sortie sortie-gpu sortie-genomes)
  configure_file(tools/packages/changelog.in ${sortie_package_texts}/${package}/changelog @ONLY)
  configure_file(tools/packages/${package}.copyright ${sortie_package_texts}/${package}/copyright COPYONLY)
  configure_file(tools/packages/${package}.overrides ${sortie_package_texts}/${package}/overrides COPYONLY)
endforeach()
configure_file(tools/packages/staged_files.cmake.in ${sortie_package_texts}/staged_files.cmake @ONLY)
set(CPACK_PRE_BUILD_SCRIPTS ${sortie_package_texts}/staged_files.cmake)
include(CPack)
