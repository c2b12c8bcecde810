# Runs a command in the source folder; where it fails, the test does.
function(run_step)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${source} RESULT_VARIABLE status OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message("${output}")
    message(FATAL_ERROR "this failed: ${ARGV}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()
