#pragma once

#include <filesystem>
#include <string>

namespace slipstick::internal {

struct MeshFile {
  std::filesystem::path path;
  std::string fault;  // why there is none, and where it was looked for
};

// The file that a URDF means by a mesh's name: a path, from the URDF's folder where it is relative, file://PATH, or
// package://NAME/REST (model:// likewise). A package is a folder of that name: around the URDF, in a folder of
// $ROS_PACKAGE_PATH, $GAZEBO_MODEL_PATH or $GZ_SIM_RESOURCE_PATH or some levels below it, or in the share/ of one of
// $AMENT_PREFIX_PATH. A folder around the URDF whose package.xml has that name is one too.
MeshFile FindMeshFile(const std::string& name, const std::filesystem::path& urdf);

}  // namespace slipstick::internal
