# sortie_compile_cold(TARGET) compiles code that no record passes through for size. It takes a third less time to compile, and
# a sort takes as long as before.
function(sortie_compile_cold target)
  if(SORTIE_SANITIZE)
    return()  # compiled with -O1, where size gains nothing
  endif()
  set_target_properties(${target} PROPERTIES SORTIE_IS_COLD ON)
  target_compile_options(${target} PRIVATE
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release,RelWithDebInfo>>:-Os>
    # GCC 12 then sees bounds crossed in its own strings.
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-array-bounds>)
endfunction()
