# The library in components, each built on the ones before it; a program that only steps scenes made in code needs the first
# and nothing else. What is off is neither built nor installed, and nothing that it alone needs is looked for.
#   core    shapes, scenes, models, contacts, laws, solvers, steppers: Eigen, fmt, SUNDIALS
#   files   scenes and robots, contact problems and recordings as files: yaml-cpp, JSON, valijson, tinyxml2, assimp, HDF5
#   report  runs with their measures, studies, published experiments, reports and exports: zlib, and Node with npm to build
#   serve   what is watched in a browser: cpp-httplib
# The command line, the program slipstick, is built on all of them: CLI11.
# The default of each is what the one below it is set to, so that -D SLIPSTICK_FILES=OFF alone leaves just the core.
option(SLIPSTICK_FILES "component files: scenes, robots, contact problems and recordings as files" ON)
option(SLIPSTICK_REPORT "component report: runs, studies, experiments, reports, exports" ${SLIPSTICK_FILES})
option(SLIPSTICK_SERVE "component serve: runs watched in a browser" ${SLIPSTICK_REPORT})
option(SLIPSTICK_PROGRAM "the command line" ${SLIPSTICK_SERVE})

function(slipstick_require part needed)
  if(SLIPSTICK_${part} AND NOT SLIPSTICK_${needed})
    message(FATAL_ERROR "SLIPSTICK_${part} is on, SLIPSTICK_${needed} is off, and the first is built on the second: "
      "turn SLIPSTICK_${part} off or SLIPSTICK_${needed} on.")
  endif()
endfunction()
slipstick_require(REPORT FILES)
slipstick_require(SERVE REPORT)
slipstick_require(PROGRAM SERVE)

set(SLIPSTICK_COMPONENTS core)
foreach(part FILES REPORT SERVE)
  if(SLIPSTICK_${part})
    string(TOLOWER ${part} component)
    list(APPEND SLIPSTICK_COMPONENTS ${component})
  endif()
endforeach()

# A library without a description that CMake could read everywhere: linked by its plain name, so that all there is to do
# here is to say early and clearly that it is missing.
function(slipstick_require_header component header package)
  string(MAKE_C_IDENTIFIER "SLIPSTICK_HAS_${header}" place)
  find_path(${place} ${header})
  mark_as_advanced(${place})
  if(NOT ${place})
    message(FATAL_ERROR "component ${component} needs <${header}>, which was not found (Debian: ${package})")
  endif()
endfunction()

find_package(Eigen3 3.4 REQUIRED)
find_package(fmt REQUIRED)
find_package(Threads REQUIRED)
slipstick_require_header(core cvode/cvode.h libsundials-dev)
if(SLIPSTICK_FILES)
  find_package(yaml-cpp REQUIRED)
  find_package(nlohmann_json REQUIRED)
  slipstick_require_header(files valijson/validator.hpp libvalijson-dev)
  find_package(tinyxml2 REQUIRED)
  find_package(assimp REQUIRED)
  # CMake's module for HDF5 asks the C compiler.
  enable_language(C)
  find_package(HDF5 REQUIRED COMPONENTS C)
  # By its target and not by file names, so that the exported package holds no path of the machine it was built on.
  set(HDF5_C_LIBRARIES hdf5::hdf5)
endif()
if(SLIPSTICK_REPORT)
  find_package(ZLIB REQUIRED)
endif()
if(SLIPSTICK_SERVE)
  slipstick_require_header(serve httplib.h libcpp-httplib-dev)
endif()
