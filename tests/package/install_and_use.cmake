# Installs the build into a folder of its own, then builds and runs the examples against that.
#   cmake -D build=… -D source=… -D folder=… -D compiler=… -P install_and_use.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/steps.cmake)

# Moved after the install, because a package that works only where it was installed first cannot be shipped.
file(REMOVE_RECURSE ${folder}/first ${folder}/prefix ${folder}/minimal ${folder}/solve_contacts)
run_step(${CMAKE_COMMAND} --install ${build} --prefix ${folder}/first)
file(RENAME ${folder}/first ${folder}/prefix)
check_descriptions(${folder}/prefix)

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
