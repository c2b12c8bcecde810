#include "slipstick/stepping/passage.h"

#include <gtest/gtest.h>

#include "slipstick/collision/detect_contacts.h"
#include "slipstick/model/compile_model.h"
#include "slipstick/scene_file/scene_reader.h"

namespace slipstick::internal {
namespace {

// A plate of half-extent 0.01 that flies at another one, 0.03 apart, at 10 m/s; a step of 5 ms leads beyond.
TEST(Passage, ABodyIsFollowedWithItsFirstVelocityUpToItsHit) {
  const Model model =
      CompileModel(ReadSceneText("format: slipstick-scene 1\ngravity: [0, 0, 0]\nbodies:\n"
                                 "  - {name: a, mass: 1, shapes: [{type: box, size: [0.1, 0.1, 0.02]}]}\n"
                                 "  - {name: b, mass: 1, position: [0, 0, 0.05], velocity: [0, 0, -10], shapes: "
                                 "[{type: box, size: [0.1, 0.1, 0.02]}]}\n",
                                 "plates.yaml"));
  Kinematics kinematics;
  ComputeKinematics(model, model.initial_state, &kinematics);
  ContactDetector detector(model);
  const std::vector<ContactPoint>& points = detector.Detect(model, kinematics, 0.1);
  const VecX &q = model.initial_state.q, &v = model.initial_state.v;
  const double step = 0.005, hit = 0.003;
  const std::vector<double> none, at_contact{0, hit}, too_late{0, step};
  const auto passage = FindPassage(model, {q, v, q, v, none, step}, points);
  ASSERT_TRUE(passage.has_value());
  EXPECT_GT(passage->depth, 0.005);

  // stopped by the hit where it touches
  const VecX stopped = VecX::Zero(v.size());
  VecX touching = q;
  AdvancePositions(model, v, hit, &touching);
  EXPECT_FALSE(FindPassage(model, {q, v, touching, stopped, at_contact, step}, points));
  // the same velocities with a hit that comes too late lead into the other plate first
  EXPECT_TRUE(FindPassage(model, {q, v, touching, stopped, too_late, step}, points));
}

}  // namespace
}  // namespace slipstick::internal
