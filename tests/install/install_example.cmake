# Run by ctest: installs to WORK/prefix, configures, builds and runs the examples there, and checks their output.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${status}:\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${WORK}/prefix)
foreach(program sortie sortie-gen sortie-check sortie-inspect)
  run(${WORK}/prefix/bin/${program} --version)
endforeach()

# The program is also installed under the name sort, but where it does not hide the system's.
run(${WORK}/prefix/libexec/sortie/sort --version)
if(EXISTS ${WORK}/prefix/bin/sort)
  message(FATAL_ERROR "bin/sort would hide the system's sort")
endif()
foreach(help man/man1/sortie.1 bash-completion/completions/sortie zsh/site-functions/_sortie
    fish/vendor_completions.d/sortie.fish)
  file(STRINGS ${WORK}/prefix/share/${help} lines REGEX "files0")
  if(NOT lines)
    message(FATAL_ERROR "share/${help} does not tell of the options")
  endif()
endforeach()

function(build source folder)
  run(${CMAKE_COMMAND} -S ${source} -B ${WORK}/${folder} -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${WORK}/prefix
    -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_CXX_FLAGS=${CXX_FLAGS})
  run(${CMAKE_COMMAND} --build ${WORK}/${folder} --config ${CONFIG})
endfunction()

build(${EXAMPLE} build)

file(WRITE ${WORK}/unsorted "pear\napple\nfig\napple\n")
run(${WORK}/build/sort_file ${WORK}/unsorted ${WORK}/sorted)
file(READ ${WORK}/sorted sorted)
if(NOT sorted STREQUAL "apple\napple\nfig\npear\n")
  message(FATAL_ERROR "the example wrote:\n${sorted}")
endif()

# The installed command finds the GPU engine's module; without a GPU it says that, not that the module is missing.
if(GPU_MODULE)
  execute_process(COMMAND ${WORK}/prefix/bin/sortie --engine=gpu -o ${WORK}/sorted ${WORK}/unsorted ERROR_VARIABLE message)
  if(message MATCHES "GPU module")
    message(FATAL_ERROR "the installed command says: ${message}")
  endif()
endif()

execute_process(COMMAND ${WORK}/build/sort_numbers 3.5 -1 20 OUTPUT_VARIABLE numbers COMMAND_ERROR_IS_FATAL ANY)
if(NOT numbers STREQUAL "20\n3.5\n-1\n")
  message(FATAL_ERROR "the example printed:\n${numbers}")
endif()

run(${WORK}/build/sort_stream 30)

# The shared library exports what the headers declare, and nothing else.
execute_process(COMMAND ${NM} -DC --defined-only ${SHARED_LIBRARY} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "\\[abi:cxx11\\]" "" symbols "${symbols}")
string(REGEX MATCHALL "[^\n]+" symbols "${symbols}")
set(classes "TemporaryNames|OrderingOptions|RecordStart")
set(functions "sort|plan|sort_files|plan_files|check_files|find_file_format|find_files_header|form_files_shard|sort_of_files|write_files_ranges|check|join|form_shard|find_inputs_header|total_assumptions|fault_of_written_time|cut_run|cut_shard|merge_slices|split_ranges|join_slices|sort_by_place|put_in_place|machine_share|aggregate_kind|add_first_key|narrow_devices|validate|to_(string|text|json)|parse_[a-z_]*"
  "|argsort_(bytes|records)|find_key|genome_(order|header_prefixes)|effective_options|last_day_of_year|set_zones|make_text_(key|order)|was_closed"
  "|occupy_closed_standard_descriptors|seed_of_text|write_boxes")
list(JOIN functions "" functions)
list(FILTER symbols EXCLUDE REGEX " (A SORTIE_|[VR] (typeinfo|typeinfo name|vtable) for sortie::)")
list(FILTER symbols EXCLUDE REGEX " [TW] sortie::((${functions})\\(|(${classes})::|(ArraySorter|Sorter|TableSorter|TableRecords|CurveKeys|ShuffleKeys|OutputFile|ByteChecksum)::[^:]*\\()")
if(symbols)
  message(FATAL_ERROR "the shared library shows what is its own: ${symbols}")
endif()

# CUDA programs link the kernels, with nvcc and without; where there is no GPU they say so. The shared library shows its
# doors alone.
if(CUDA_LIBRARY)
  set(ENV{CUDACXX} ${CUDA_COMPILER})
  build(${CUDA_EXAMPLE} cuda_build)
  run(${WORK}/cuda_build/sort_on_device)
  run(${WORK}/cuda_build/sort_in_graph)
  run(${WORK}/cuda_build/sort_on_devices)
  run(${WORK}/cuda_build/sort_beside_thrust)
  run(${WORK}/cuda_build/sort_in_block)
  execute_process(COMMAND ${NM} -DC --defined-only ${CUDA_LIBRARY} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" symbols "${symbols}")
  list(FILTER symbols EXCLUDE REGEX " (A SORTIE_CUDA_|[VR] (typeinfo|typeinfo name|vtable) for sortie::cuda::StreamAllocator)")
  list(FILTER symbols EXCLUDE REGEX " [TW] sortie::cuda::(StreamAllocator::[^:]*|[a-z_]*(sort|sort_by_bits|sort_with_positions|sort_records|sort_strings|sort_rows|sort_shards|sort_host_array|merge|merge_lists|unique|set_operation|top_k|scratch_bytes))\\(")
  if(symbols)
    message(FATAL_ERROR "the shared library of the kernels shows what is its own: ${symbols}")
  endif()
endif()

build(${CONSUMER} consumer)
run(${WORK}/consumer/whole_interface)
run(${WORK}/consumer/other_version ${WORK}/unsorted ${WORK}/sorted)
