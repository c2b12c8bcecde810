# Installs the build into a folder of its own, then builds and runs the examples against that.
#   cmake -D build=… -D source=… -D folder=… -D compiler=… -P install_and_use.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/steps.cmake)

# Moved after the install, because a package that works only where it was installed first cannot be shipped.
set(examples minimal solve_contacts controller scene_in_code)
file(REMOVE_RECURSE ${folder}/first ${folder}/prefix)
run_step(${CMAKE_COMMAND} --install ${build} --prefix ${folder}/first)
file(RENAME ${folder}/first ${folder}/prefix)
check_descriptions(${folder}/prefix)

foreach(example ${examples})
  file(REMOVE_RECURSE ${folder}/${example})
  run_step(${CMAKE_COMMAND} -G Ninja -S ${source}/examples/${example} -B ${folder}/${example}
    -D CMAKE_BUILD_TYPE=Release -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${folder}/prefix)
  run_step(${CMAKE_COMMAND} --build ${folder}/${example})
endforeach()
run_step(${folder}/minimal/minimal ${folder}/prefix/share/slipstick/scenes/wheel.yaml)
message("${output}")
foreach(example solve_contacts controller scene_in_code)
  run_step(${folder}/${example}/${example})
  message("${output}")
endforeach()
# The program that was installed starts.
if(EXISTS ${folder}/prefix/bin/slipstick)
  run_step(${folder}/prefix/bin/slipstick list)
endif()
