#pragma once

#include <limits>

namespace slipstick::internal {

// Numbers of two surfaces that meet, which laws of contact read as they are. The scene's materials give them
// (scene/material_properties.h), the model has them for each pair of materials, a contact problem for each contact.
struct SurfaceProperties {
  double friction_static = 0, friction_kinetic = 0, restitution = 0;
  double rolling = 0, spinning = 0;  // ρ, σ [m]: levers of the friction moments, |moment| ≤ lever · p_N
  double tangential_stiffness = std::numeric_limits<double>::infinity();  // of bristles [N/m]

  bool operator==(const SurfaceProperties&) const = default;
};

}  // namespace slipstick::internal
