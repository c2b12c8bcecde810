#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace slipstick {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Vec4 = Eigen::Vector4d;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using VecX = Eigen::VectorXd;
using Mat2 = Eigen::Matrix2d;
using Mat3 = Eigen::Matrix3d;
using Mat6 = Eigen::Matrix<double, 6, 6>;
using MatX = Eigen::MatrixXd;
using RowMatX = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Quat = Eigen::Quaterniond;

template <typename T>
using Ref = Eigen::Ref<T>;
template <typename T>
using ConstRef = const Eigen::Ref<const T>&;

}  // namespace slipstick
