# Configures the project, and compiles nothing, with each choice of components. CMake's cache tells what was looked for:
# everything for a component that is on, nothing for one that is off.
#   cmake -D source=… -D folder=… -D compiler=… -P configure_options.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/steps.cmake)
set(folder ${folder}/options)
file(REMOVE_RECURSE ${folder})
find_program(ninja NAMES ninja ninja-build REQUIRED)
set(configure ${CMAKE_COMMAND} -G Ninja -S ${source} -D CMAKE_MAKE_PROGRAM=${ninja} -D CMAKE_CXX_COMPILER=${compiler}
  -D SLIPSTICK_TESTS=OFF)

set(entries_of_core Eigen3_DIR fmt_DIR SLIPSTICK_HAS_cvode_cvode_h)
set(entries_of_files yaml-cpp_DIR nlohmann_json_DIR tinyxml2_DIR assimp_DIR HDF5_DIR SLIPSTICK_HAS_valijson_validator_hpp
  CMAKE_C_COMPILER)
set(entries_of_report SLIPSTICK_NODE SLIPSTICK_NPM)
set(entries_of_serve SLIPSTICK_HAS_httplib_h)
set(entries_of_program CLI11_DIR)
set(all core files report serve program)

function(check_choice name parts)
  run_step(${configure} -B ${folder}/${name} ${ARGN})
  file(READ ${folder}/${name}/CMakeCache.txt cache)
  foreach(part ${all})
    foreach(entry ${entries_of_${part}})
      string(REGEX MATCH "\n${entry}:" found "${cache}")
      if(part IN_LIST parts AND NOT found)
        message(FATAL_ERROR "${name}: ${entry} was not looked for; if it goes by another name now, put that into this test")
      elseif(NOT part IN_LIST parts AND found)
        message(FATAL_ERROR "${name}: ${entry} was looked for, though ${part} is off")
      endif()
    endforeach()
  endforeach()
endfunction()

hide_what_core_does_not_need(${folder}/hidden.cmake)
check_choice(core core -D SLIPSTICK_FILES=OFF -C ${folder}/hidden.cmake)
check_choice(files "core;files" -D SLIPSTICK_REPORT=OFF)
check_choice(report "core;files;report" -D SLIPSTICK_SERVE=OFF)
check_choice(serve "core;files;report;serve" -D SLIPSTICK_PROGRAM=OFF)
check_choice(program "core;files;report;serve;program")

# The hiding hides: with it, nothing but the core can be configured.
run_refused("yaml-cpp" ${configure} -B ${folder}/hidden -C ${folder}/hidden.cmake)
file(READ ${folder}/hidden.cmake text)
string(REGEX REPLACE "set.CMAKE_DISABLE[^\n]*\n" "" text "${text}")
file(WRITE ${folder}/hidden_programs.cmake "${text}")
run_refused("No CMAKE_C_COMPILER could be found" ${configure} -B ${folder}/hidden_programs -C ${folder}/hidden_programs.cmake)
run_refused("SLIPSTICK_REPORT is on, SLIPSTICK_FILES is off" ${configure} -B ${folder}/contradiction
  -D SLIPSTICK_FILES=OFF -D SLIPSTICK_REPORT=ON)
