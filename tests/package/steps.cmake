# What the package tests have in common.

include(${CMAKE_CURRENT_LIST_DIR}/../structure/run_step.cmake)

# Runs a command that must fail and say something; line breaks in what it says do not count.
function(run_refused words)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " said "${output}")
  string(FIND "${said}" "${words}" position)
  if(status EQUAL 0 OR position EQUAL -1)
    message("${output}")
    message(FATAL_ERROR "this should have failed with '${words}': ${ARGN}")
  endif()
endfunction()

# Writes a file of cache entries, for cmake -C, that hide everything that the core does not need: packages by name, and
# all programs by their folders (the compiler and ninja are given by their paths).
function(hide_what_core_does_not_need file)
  set(text)
  foreach(package yaml-cpp nlohmann_json tinyxml2 assimp HDF5 ZLIB CLI11)
    string(APPEND text "set(CMAKE_DISABLE_FIND_PACKAGE_${package} ON CACHE BOOL \"\")\n")
  endforeach()
  string(REPLACE ":" ";" folders "$ENV{PATH}")
  string(APPEND text "set(CMAKE_IGNORE_PATH \"${folders};/bin;/usr/bin;/usr/local/bin\" CACHE STRING \"\")\n")
  file(WRITE ${file} "${text}")
endfunction()

# The description of the package below a prefix holds no path of this machine.
function(check_descriptions prefix)
  file(GLOB descriptions ${prefix}/lib/cmake/slipstick/*.cmake)
  if(NOT descriptions)
    message(FATAL_ERROR "no package description was installed")
  endif()
  foreach(description ${descriptions})
    file(READ ${description} text)
    foreach(path ${build} ${source} /usr/lib/ /usr/include/)
      string(FIND "${text}" "${path}" position)
      if(NOT position EQUAL -1)
        message(FATAL_ERROR "${description} mentions ${path}")
      endif()
    endforeach()
  endforeach()
endfunction()
