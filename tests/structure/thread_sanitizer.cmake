# Builds the core with the thread sanitizer in build/tsan, and runs there what is tested with threads. All of the core and
# nothing else is compiled for it, so this is also the one build that shows that the core needs no other component; the
# rest of tests/package uses what is compiled already.
#   cmake -D source=… -D jobs=… -D launcher=… -P thread_sanitizer.cmake
include(${CMAKE_CURRENT_LIST_DIR}/run_step.cmake)

# The first race ends the program.
set(ENV{TSAN_OPTIONS} halt_on_error=1:second_deadlock_stack=1)
run_step(${CMAKE_COMMAND} --preset tsan -D CMAKE_CXX_COMPILER_LAUNCHER=${launcher})
run_step(${CMAKE_COMMAND} --build build/tsan --target test_threads --parallel ${jobs})
run_step(${CMAKE_CTEST_COMMAND} --test-dir build/tsan -R ^threads$ --output-on-failure --no-tests=error)
message("${output}")
