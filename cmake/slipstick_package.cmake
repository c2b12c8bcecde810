# What `cmake --install` writes, so that another project can say find_package(slipstick) and link slipstick::slipstick
# (everything) or one folder, such as slipstick::solver.
include(CMakePackageConfigHelpers)

# The command line's target owns the name slipstick here; in the package the library has it.
add_library(slipstick_all INTERFACE)
set_target_properties(slipstick_all PROPERTIES EXPORT_NAME slipstick)
target_link_libraries(slipstick_all INTERFACE slipstick_scene_file slipstick_stepping slipstick_solve slipstick_output)
install(TARGETS slipstick_all EXPORT slipstick)

if(TARGET slipstick)
  install(TARGETS slipstick RUNTIME DESTINATION bin)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes DESTINATION share/slipstick)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/slipstick)

set(package_folder lib/cmake/slipstick)
install(EXPORT slipstick NAMESPACE slipstick:: FILE slipstick-targets.cmake DESTINATION ${package_folder})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/slipstick-config.cmake.in
  ${PROJECT_BINARY_DIR}/slipstick-config.cmake INSTALL_DESTINATION ${package_folder})
# Before 1.0 a minor version may break what was there.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/slipstick-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/slipstick-config.cmake ${PROJECT_BINARY_DIR}/slipstick-config-version.cmake
  DESTINATION ${package_folder})
