#include "slipstick/law/bristle.h"

#include <cmath>

#include "slipstick/law/tangent_rows.h"

namespace slipstick {
namespace {

class FixedDirectionRule : public TangentRule {
 public:
  FixedDirectionRule(const BristleSettings& settings, bool with_bristle)
      : settings_(settings), with_bristle_(with_bristle) {
    const double c = std::cos(settings.orientation), s = std::sin(settings.orientation);
    directions_ << c, s, -s, c;
  }

  TangentRows RowsOf(const ContactProblem& problem, int i, const Vec2& slip, double normal_impulse) const override {
    const ContactSet& contacts = problem.contacts;
    const double mu = slip.norm() > settings_.velocity_threshold ? contacts.friction_kinetic[i] : contacts.friction_static[i];
    TangentRows rows;
    rows.directions = directions_;
    rows.limit = mu * normal_impulse;
    if (!(rows.limit > 0)) return {};
    if (with_bristle_) {
      const double h = problem.step;
      rows.compliance.setConstant(1.0 / (h * h * contacts.tangential_stiffness[i]));
      rows.reference = h * directions_ * contacts.Tangential(i, contacts.history[i].tangential_force);
    }
    return rows;
  }

 private:
  BristleSettings settings_;
  bool with_bristle_;
  Mat2 directions_;
};

}  // namespace

std::vector<SettingSpec> BristleSettings::Specs() {
  const BristleSettings d;
  std::vector<SettingSpec> specs = {{.name = "velocity_threshold",
                                     .default_value = d.velocity_threshold,
                                     .unit = "m/s",
                                     .meaning = "sliding faster than this takes the kinetic coefficient",
                                     .least = 0},
                                    {.name = "orientation",
                                     .default_value = d.orientation,
                                     .unit = "rad",
                                     .meaning = "angle of the box's first direction from the contact's first tangent"}};
  for (SettingSpec& spec : FrictionBoundSettings::Specs()) specs.push_back(std::move(spec));
  return specs;
}

BristleSettings BristleSettings::From(const Settings& settings) {
  return {settings.Number("velocity_threshold"), settings.Number("orientation"), FrictionBoundSettings::From(settings)};
}

std::unique_ptr<Law> MakeBristle(const BristleSettings& settings) {
  return MakeBoundedTangentLaw(std::make_unique<FixedDirectionRule>(settings, true), settings.bounds);
}

std::unique_ptr<Law> MakeBox(const BristleSettings& settings) {
  return MakeBoundedTangentLaw(std::make_unique<FixedDirectionRule>(settings, false), settings.bounds);
}

}  // namespace slipstick
