# Installs the build into a folder of its own, then builds and runs the examples against that.
#   cmake -D build=… -D source=… -D folder=… -D compiler=… -P install_and_use.cmake
function(run_step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message("${output}")
    message(FATAL_ERROR "this failed: ${ARGV}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# Moved after the install, because a package that works only where it was installed first cannot be shipped.
file(REMOVE_RECURSE ${folder}/first ${folder}/prefix ${folder}/minimal ${folder}/solve_contacts)
run_step(${CMAKE_COMMAND} --install ${build} --prefix ${folder}/first)
file(RENAME ${folder}/first ${folder}/prefix)

# The description of the package holds no path of this machine.
file(GLOB descriptions ${folder}/prefix/lib/cmake/slipstick/*.cmake)
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

foreach(example minimal solve_contacts)
  run_step(${CMAKE_COMMAND} -G Ninja -S ${source}/examples/${example} -B ${folder}/${example}
    -D CMAKE_BUILD_TYPE=Release -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${folder}/prefix)
  run_step(${CMAKE_COMMAND} --build ${folder}/${example})
endforeach()
run_step(${folder}/minimal/minimal ${folder}/prefix/share/slipstick/scenes/wheel.yaml)
message("${output}")
run_step(${folder}/solve_contacts/solve_contacts)
message("${output}")
# The program that was installed starts.
if(EXISTS ${folder}/prefix/bin/slipstick)
  run_step(${folder}/prefix/bin/slipstick list)
endif()
