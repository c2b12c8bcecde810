# Installs one component and those it is built on, out of the whole build, and uses that from the project consumer/. It is
# the installed files that are tried, so nothing of the library is compiled again; that the core compiles without the rest
# is seen in the build of the thread sanitizer, which has nothing else, and what CMake looks for in configure_options.cmake.
#   cmake -D component=… -D build=… -D source=… -D folder=… -D compiler=… -P install_component.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/steps.cmake)
set(all core files report serve)
list(FIND all ${component} last)

set(folder ${folder}/component_${component})
file(REMOVE_RECURSE ${folder})
foreach(position RANGE ${last})
  list(GET all ${position} name)
  run_step(${CMAKE_COMMAND} --install ${build} --prefix ${folder}/first --component ${name})
endforeach()
file(RENAME ${folder}/first ${folder}/prefix)
check_descriptions(${folder}/prefix)

set(hidden)
if(component STREQUAL core)
  hide_what_core_does_not_need(${folder}/hidden.cmake)
  set(hidden -C ${folder}/hidden.cmake)
endif()
find_program(ninja NAMES ninja ninja-build REQUIRED)
set(configure ${CMAKE_COMMAND} -G Ninja -S ${CMAKE_CURRENT_LIST_DIR}/consumer -D CMAKE_MAKE_PROGRAM=${ninja}
  -D CMAKE_BUILD_TYPE=Debug -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${folder}/prefix)
run_step(${configure} -B ${folder}/consumer -D component=${component} ${hidden})
run_step(${CMAKE_COMMAND} --build ${folder}/consumer)
run_step(${folder}/consumer/consumer)
message("${output}")

# The examples that the core is enough for.
if(component STREQUAL core)
  foreach(example controller scene_in_code)
    run_step(${CMAKE_COMMAND} -G Ninja -S ${source}/examples/${example} -B ${folder}/${example} -D CMAKE_MAKE_PROGRAM=${ninja}
      -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${folder}/prefix ${hidden})
    run_step(${CMAKE_COMMAND} --build ${folder}/${example})
    run_step(${folder}/${example}/${example})
  endforeach()
endif()

# What is not there is named, together with what is.
math(EXPR next "${last} + 1")
list(GET all ${next} missing)
list(SUBLIST all 0 ${next} installed)
list(JOIN installed ", " installed)
run_refused("without the components: ${missing}; with: ${installed}." ${configure} -B ${folder}/missing -D component=${missing})
run_refused("without the components: wings; with: ${installed}." ${configure} -B ${folder}/missing -D component=wings)
