# Builds the unit tests in build/sanitize and runs them there.
#   cmake -D source=… -D jobs=… -D launcher=… -P sanitized_unit_tests.cmake
include(${CMAKE_CURRENT_LIST_DIR}/run_step.cmake)

# With leaks counted as errors, and with the first undefined operation ending the program (see slipstick_module.cmake).
set(ENV{ASAN_OPTIONS} detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1)
set(ENV{UBSAN_OPTIONS} print_stacktrace=1)
run_step(${CMAKE_COMMAND} --preset sanitize -D CMAKE_CXX_COMPILER_LAUNCHER=${launcher})
run_step(${CMAKE_COMMAND} --build build/sanitize --target unit_tests --parallel ${jobs})
run_step(${CMAKE_CTEST_COMMAND} --test-dir build/sanitize -L ^unit$ --output-on-failure --no-tests=error
  --parallel ${jobs})
message("${output}")
