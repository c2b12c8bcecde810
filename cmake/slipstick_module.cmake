# Compile settings shared by every target of the project.
add_library(slipstick_options INTERFACE)
set_target_properties(slipstick_options PROPERTIES EXPORT_NAME options)
target_compile_features(slipstick_options INTERFACE cxx_std_20)
target_compile_options(slipstick_options INTERFACE $<BUILD_INTERFACE:-Wall -Wextra -Wshadow -Wno-maybe-uninitialized -Wno-missing-field-initializers>)
# GCC 12 sees an overlap in "text" + std::string where there is none (its bug 105651).
target_compile_options(slipstick_options INTERFACE $<BUILD_INTERFACE:-Wno-restrict>)
# No fused multiply-add behind our back: whether a*b + c is rounded once or twice would depend on the processor and on the
# compiler's mood, and the same scene must give the same bits everywhere. For the same reason no -ffast-math.
target_compile_options(slipstick_options INTERFACE $<BUILD_INTERFACE:-ffp-contract=off>)
if(SLIPSTICK_NATIVE)
  target_compile_options(slipstick_options INTERFACE $<BUILD_INTERFACE:-march=native>)
endif()
if(SLIPSTICK_WERROR)
  target_compile_options(slipstick_options INTERFACE $<BUILD_INTERFACE:-Werror>)
endif()
if(SLIPSTICK_SANITIZE)
  target_compile_options(slipstick_options INTERFACE
    $<BUILD_INTERFACE:-fsanitize=${SLIPSTICK_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all>)
  target_link_options(slipstick_options INTERFACE $<BUILD_INTERFACE:-fsanitize=${SLIPSTICK_SANITIZE}>)
endif()

# Most of the time that a file takes to compile goes into reading Eigen and the standard library, so that is done once, in
# a precompiled header that all modules share. It belongs to a library of its own, because GCC takes it only where all
# macros of the target that made it are defined alike.
set(SLIPSTICK_PRECOMPILED <Eigen/Core> <Eigen/Geometry> <algorithm> <array> <cmath> <functional> <limits> <map> <memory>
  <string> <vector>)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/headers_only.cpp CONTENT "// headers alone\n")
add_library(slipstick_precompiled STATIC ${PROJECT_BINARY_DIR}/headers_only.cpp)
target_link_libraries(slipstick_precompiled PRIVATE slipstick_options Eigen3::Eigen)
target_precompile_headers(slipstick_precompiled PRIVATE ${SLIPSTICK_PRECOMPILED})

# slipstick_module(<folder> LINKS <folders it may include> PACKAGES <public libraries> PRIVATE_PACKAGES <hidden libraries>
#   PUBLIC_HEADERS <files>)
# makes the library of one folder under src/, in the component that the variable `component` names. What is not linked
# cannot be used, and tests/structure checks the includes. The library of src/solver/cone is called solver_cone; in the
# package slipstick::internal_solver_cone, since nobody but the components should name it. Of its headers just the public
# ones are installed.
function(slipstick_module folder)
  cmake_parse_arguments(arg "" "" "LINKS;PACKAGES;PRIVATE_PACKAGES;PUBLIC_HEADERS" ${ARGN})
  string(REPLACE / _ name ${folder})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*.cpp)
  if(NOT sources)
    # A folder of headers alone is a library like the others, so that linking and installing need no second form.
    set(sources ${PROJECT_BINARY_DIR}/headers_only.cpp)
  endif()
  list(TRANSFORM arg_LINKS REPLACE / _)
  list(TRANSFORM arg_LINKS PREPEND slipstick_)
  foreach(link ${arg_LINKS})
    # Else the linker would look for a library of that name, much later.
    if(NOT TARGET ${link})
      message(FATAL_ERROR "src/${folder} links ${link}, which is not made before it, or belongs to a component that is off")
    endif()
  endforeach()
  add_library(slipstick_${name} STATIC ${sources})
  set_target_properties(slipstick_${name} PROPERTIES EXPORT_NAME internal_${name})
  target_include_directories(slipstick_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include> $<INSTALL_INTERFACE:include>)
  target_link_libraries(slipstick_${name} PUBLIC slipstick_options ${arg_LINKS} ${arg_PACKAGES})
  target_link_libraries(slipstick_${name} PRIVATE ${arg_PRIVATE_PACKAGES})
  target_precompile_headers(slipstick_${name} REUSE_FROM slipstick_precompiled)
  target_link_libraries(slipstick_part_${component} INTERFACE slipstick_${name})
  install(TARGETS slipstick_${name} EXPORT slipstick_${component} ARCHIVE DESTINATION lib COMPONENT ${component})
  list(TRANSFORM arg_PUBLIC_HEADERS PREPEND ${PROJECT_SOURCE_DIR}/src/${folder}/)
  install(FILES ${arg_PUBLIC_HEADERS} DESTINATION include/slipstick/${folder} COMPONENT ${component})
endfunction()

# The components as targets, to which slipstick_module adds, slipstick::core and so on, here as in the package;
# slipstick::slipstick is what is on of them. Their plain names differ, because the folder src/serve has slipstick_serve.
add_library(slipstick_all INTERFACE)
add_library(slipstick::slipstick ALIAS slipstick_all)
set(below)
foreach(component ${SLIPSTICK_COMPONENTS})
  add_library(slipstick_part_${component} INTERFACE)
  add_library(slipstick::${component} ALIAS slipstick_part_${component})
  set_target_properties(slipstick_part_${component} PROPERTIES EXPORT_NAME ${component})
  target_link_libraries(slipstick_part_${component} INTERFACE ${below})
  target_link_libraries(slipstick_all INTERFACE slipstick_part_${component})
  install(TARGETS slipstick_part_${component} EXPORT slipstick_${component} COMPONENT ${component})
  set(below slipstick_part_${component})
endforeach()
install(TARGETS slipstick_options EXPORT slipstick_core COMPONENT core)
