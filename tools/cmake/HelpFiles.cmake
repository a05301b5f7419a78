# Manual pages and completions of shells, written by the commands themselves from their tables of options.

# sortie_help(TARGET FORM FILE DESTINATION) has the command write FILE, by --help=FORM, and installs it.
function(sortie_help target form file destination)
  if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    return()  # the command does not run here
  endif()
  set(folder ${PROJECT_BINARY_DIR}/help)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${folder}/${file} COMMAND ${target} --help=${form} > ${folder}/${file}
    DEPENDS ${target} VERBATIM)
  add_custom_target(${target}_help_${form} ALL DEPENDS ${folder}/${file})
  set_property(GLOBAL APPEND PROPERTY SORTIE_SCRIPT_TARGETS ${target}_help_${form})
  install(FILES ${folder}/${file} DESTINATION ${destination} COMPONENT command)
  if(form STREQUAL man)
    set_property(GLOBAL APPEND PROPERTY sortie_manual_pages ${folder}/${file})
  endif()
endfunction()
