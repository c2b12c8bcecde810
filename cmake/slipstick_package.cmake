# What `cmake --install` writes, so that another project can say find_package(slipstick), or find_package(slipstick
# COMPONENTS core), and link slipstick::slipstick (all that was found) or one component, such as slipstick::core.
# `cmake --install … --component core` writes one component alone; those it is built on are installed the same way.
include(CMakePackageConfigHelpers)

set(package_folder lib/cmake/slipstick)
foreach(component ${SLIPSTICK_COMPONENTS})
  install(EXPORT slipstick_${component} NAMESPACE slipstick:: FILE slipstick-${component}-targets.cmake
    DESTINATION ${package_folder} COMPONENT ${component})
endforeach()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/slipstick-config.cmake.in
  ${PROJECT_BINARY_DIR}/slipstick-config.cmake INSTALL_DESTINATION ${package_folder})
# Before 1.0 a minor version may break what was there.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/slipstick-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/slipstick-config.cmake ${PROJECT_BINARY_DIR}/slipstick-config-version.cmake
  DESTINATION ${package_folder} COMPONENT core)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/slipstick COMPONENT core)
if(SLIPSTICK_FILES)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes DESTINATION share/slipstick COMPONENT files)
endif()
