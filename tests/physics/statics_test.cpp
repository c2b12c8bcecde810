// Bodies that lean, span and pile up: they stand with a little more friction than statics asks for, and fall with a
// little less. And what stands keeps its contacts.

#include "slipstick/base/rotation.h"
#include "tests/physics/scene_runs.h"

namespace slipstick::internal {
namespace {

constexpr double kMore = 1.03, kLess = 0.97;  // of the friction that statics asks for

struct Block {
  std::string name;
  Vec3 position = Vec3::Zero();
  double angle = 0;  // about y
  std::string shape;
  double density = 1000;
  double aside = 0;  // about z, after that about y
};

std::string BoxShape(const Vec3& size) { return "type: box, size: " + Text(size); }

// A prism along y: the outline in x and z, and half its depth.
std::string PrismShape(const std::vector<Vec2>& outline, double half_depth) {
  std::string points;
  for (const Vec2& p : outline) {
    for (const double y : {-half_depth, half_depth}) points += (points.empty() ? "" : ", ") + Text(Vec3(p[0], y, p[1]));
  }
  return "type: hull, points: [" + points + "]";
}

std::string RotationText(const Block& block) {
  const Quat turn = ExpRotation(Vec3(0, 0, block.aside)) * ExpRotation(Vec3(0, block.angle, 0));
  const Eigen::AngleAxisd of(turn);
  return "{axis: " + Text(Vec3(of.axis())) + ", angle: " + Text(of.angle()) + "}";
}

Simulation Build(const std::vector<Block>& blocks, double friction, const std::string& world = "{type: plane}") {
  std::string text = "format: slipstick-scene 1\nmaterials: [{name: default, friction: " + Text(friction) +
                     "}]\nworld: {shapes: [" + world + "]}\nbodies:\n";
  for (const Block& block : blocks) {
    text += "  - {name: " + block.name + ", density: " + Text(block.density) + ", position: " + Text(block.position) +
            ", rotation: " + RotationText(block) + ", shapes: [{" + block.shape + "}]}\n";
  }
  return Simulation(ReadSceneText(text + "law: coulomb\nstepper: {step: 0.001}\n", "case.yaml"));
}

// How far the furthest body has come from where it was.
double FurthestWay(const Simulation& simulation, const State& start) {
  double most = 0;
  for (int i = 0; i + 7 <= start.q.size(); i += 7) {
    most = std::max(most, (simulation.state().q - start.q).segment<3>(i + 4).norm());
  }
  return most;
}

// Stands for half a second.
void ExpectStands(const std::vector<Block>& blocks, double friction, const std::string& world = "{type: plane}") {
  SCOPED_TRACE("stands with friction " + Text(friction));
  Simulation simulation = Build(blocks, friction, world);
  const State start = simulation.state();
  RunUntil(0.5, &simulation);
  EXPECT_LT(FurthestWay(simulation, start), 1e-6);
  EXPECT_LT(simulation.state().v.norm(), 1e-6);
}

// Has moved so far, and goes on, within that time.
void ExpectFalls(const std::vector<Block>& blocks, double friction, double way = 1e-4,
                 const std::string& world = "{type: plane}") {
  SCOPED_TRACE("falls with friction " + Text(friction));
  Simulation simulation = Build(blocks, friction, world);
  const State start = simulation.state();
  while (simulation.state().time < 0.5 && FurthestWay(simulation, start) < way) {
    const StepRecord& record = simulation.Step();
    ASSERT_TRUE(record.certificate.passed) << "at " << record.time << " s: " << record.certificate.reason;
  }
  EXPECT_GE(FurthestWay(simulation, start), way);
  EXPECT_GT(simulation.state().v.norm(), way);
}

constexpr double kLength = 0.1, kWidth = 0.06, kThickness = 0.001;  // of a card
constexpr double kLean = 70 * M_PI / 180;
const std::string kCard = BoxShape({kLength, kWidth, kThickness});
constexpr double kFoot = kLength * 0.34202014332566873;  // cos 70°, from below the apex

double ApexHeight() { return kLength * std::sin(kLean); }                   // where two cards touch
double TopHeight() { return ApexHeight() + kThickness * std::cos(kLean); }  // of their upper edges
double PlateLevel() { return TopHeight() + 0.5 * kThickness; }              // of a card's middle on these
Vec3 CardPlace(double side) { return {side * 0.5 * (kFoot + kThickness * std::sin(kLean)), 0, 0.5 * TopHeight()}; }

// Two cards that lean against each other with their upper inner edges at x, on what is at z.
void AddPair(const std::string& name, double x, double z, std::vector<Block>* blocks) {
  for (const double side : {-1.0, 1.0}) {
    blocks->push_back({name + (side < 0 ? "_l" : "_r"), Vec3(x, 0, z) + CardPlace(side), side * kLean, kCard});
  }
}

// A pair that carries P times a card's weight w at its apex has N = w (1 + P/2) under each foot. Moments about the edge
// where the cards touch: F L sin θ = N L cos θ − w (L cos θ + t sin θ)/2 − (P w/2) t sin θ.
double FrictionOfPair(double load) { return (1 + load) / (2 + load) * (1 / std::tan(kLean) - kThickness / kLength); }

TEST(Statics, TwoCardsLeanAgainstEachOther) {
  std::vector<Block> blocks;
  AddPair("pair", 0, 0, &blocks);
  ExpectStands(blocks, kMore * FrictionOfPair(0));
  ExpectFalls(blocks, kLess * FrictionOfPair(0));
}

TEST(Statics, TwoCardsCarryAThird) {
  std::vector<Block> blocks;
  AddPair("pair", 0, 0, &blocks);
  blocks.push_back({"roof", {0, 0, PlateLevel()}, 0, kCard});
  ExpectStands(blocks, kMore * FrictionOfPair(1));
  ExpectFalls(blocks, kLess * FrictionOfPair(1));
}

// The same where one card is narrower, and so the edges' common stretch.
TEST(Statics, CardsOfDifferentWidth) {
  std::vector<Block> blocks;
  AddPair("pair", 0, 0, &blocks);
  blocks[1].shape = BoxShape({kLength, kWidth / 2, kThickness});
  blocks[1].density *= 2;
  ExpectStands(blocks, kMore * FrictionOfPair(0));
  ExpectFalls(blocks, kLess * FrictionOfPair(0));
}

// One card turned aside, so that it leans with a corner on the other's edge: it stands with twice the friction.
TEST(Statics, ACardLeansWithACorner) {
  std::vector<Block> blocks;
  AddPair("pair", 0, 0, &blocks);
  const double aside = 0.05;
  // about the upright through its foot's middle, and back by what its corner comes forward
  blocks[0].position.x() = -kFoot + std::cos(aside) * (blocks[0].position.x() + kFoot);
  blocks[0].aside = aside;
  blocks[0].position.x() -= kFoot * (std::cos(aside) - 1) + 0.5 * kWidth * std::sin(aside);
  blocks[0].position.y() = std::sin(aside) * (CardPlace(-1).x() + kFoot);
  ExpectStands(blocks, 2 * FrictionOfPair(0));
}

// Two pairs whose feet do not touch, a card across their apexes, and a pair on it: each pair below carries half of
// three cards.
TEST(Statics, ACardHouseOfTwoStoreys) {
  std::vector<Block> blocks;
  const double apart = kFoot + kThickness * std::sin(kLean) + 0.0025;
  AddPair("left", -apart, 0, &blocks);
  AddPair("right", apart, 0, &blocks);
  blocks.push_back({"across", {0, 0, PlateLevel()}, 0, kCard});
  AddPair("top", 0, PlateLevel() + 0.5 * kThickness, &blocks);
  ExpectStands(blocks, kMore * FrictionOfPair(1.5));
  // seven cards that slide are much work for every solver: as soon as they are seen to go
  ExpectFalls(blocks, kLess * FrictionOfPair(1.5), 1e-5);
}

// A ladder of length L and thickness t against a wall, at T = tan θ. Where it begins to slip at both ends
// μ (T + μ)/(1 + μ²) = (1 − T t/L)/2.
TEST(Statics, ALadderAgainstAWall) {
  const double length = 2, thickness = 0.05, lean = 60 * M_PI / 180, steep = std::tan(lean);
  const double thick = steep * thickness / length;
  const double friction = (std::sqrt(steep * steep + 1 - thick * thick) - steep) / (1 + thick);
  // the foot at x = −L cos θ, the upper edge at the wall x = 0
  const Vec3 place(-0.5 * (length * std::cos(lean) + thickness * std::sin(lean)), 0,
                   0.5 * (length * std::sin(lean) + thickness * std::cos(lean)));
  const std::vector<Block> ladder{{"ladder", place, -lean, BoxShape({length, 0.4, thickness})}};
  for (const char* wall : {"{type: plane, rotation: {axis: [0, 1, 0], angle: -1.5707963267948966}}",
                           "{type: box, size: [1, 2, 4], position: [0.5, 0, 0]}"}) {
    SCOPED_TRACE(wall);
    const std::string world = std::string("{type: plane}, ") + wall;
    ExpectStands(ladder, kMore * friction, world);
    ExpectFalls(ladder, kLess * friction, 1e-4, world);
  }
}

// A keystone of weight w W between two blocks that share the rest, W being all of it, with joints that lean by β from
// upright, b = tan β: the keystone slides down unless the thrust H ≥ (w W/2)/tan(β + φ), and the blocks slide apart
// unless H ≤ μ W/2. Both at once: μ² + μ b (1 + w) − w = 0.
TEST(Statics, AnArchOfThreeWedges) {
  const double b = std::tan(15 * M_PI / 180), base = 0.3, low = 0.1, high = 0.2, half_depth = 0.1, half = 0.1;
  // of the joint at height z, from the middle
  const auto joint = [&](double z) { return half + b * (z - low); };
  const std::vector<Vec2> key{{-half, low}, {half, low}, {joint(high), high}, {-joint(high), high}};
  const std::vector<Vec2> right{{joint(0), 0}, {joint(0) + base, 0}, {joint(0) + base, high}, {joint(high), high}};
  std::vector<Vec2> left = right;
  for (Vec2& p : left) p[0] = -p[0];
  const double key_area = (high - low) * (joint(low) + joint(high));
  const double side_area = high * (base - 0.5 * b * high);
  const double w = key_area / (key_area + 2 * side_area), slope = b * (1 + w);
  const double friction = 0.5 * (std::sqrt(slope * slope + 4 * w) - slope);
  const std::vector<Block> blocks{{"left", Vec3::Zero(), 0, PrismShape(left, half_depth)},
                                  {"right", Vec3::Zero(), 0, PrismShape(right, half_depth)},
                                  {"key", Vec3::Zero(), 0, PrismShape(key, half_depth)}};
  ExpectStands(blocks, kMore * friction);
  ExpectFalls(blocks, kLess * friction);
}

// Half a ring of seven wedges. Its line of thrust stays within a thickness of 0.3 mean radii with room to spare (0.11
// is enough, Heyman 1969), and at its feet it leans by more than 0.2: there it slides with less friction than that.
TEST(Statics, ARoundArch) {
  std::vector<Block> blocks;
  const int count = 7;
  for (int i = 0; i < count; ++i) {
    std::vector<Vec2> outline;
    for (const double r : {0.85, 1.15}) {
      for (const int end : {0, 1}) {
        const double angle = M_PI * (i + end) / count;
        outline.emplace_back(r * std::cos(angle), r * std::sin(angle));
      }
    }
    blocks.push_back({"stone_" + std::to_string(i), Vec3::Zero(), 0, PrismShape(outline, 0.2)});
  }
  ExpectStands(blocks, 0.6);
  ExpectFalls(blocks, 0.2);
}

// While bodies rest the same points touch, step by step.
void ExpectSteadyContacts(const std::vector<Block>& blocks, const std::string& world = "{type: plane}") {
  Simulation simulation = Build(blocks, 0.5, world);
  RunUntil(0.2, &simulation);
  const std::vector<ContactKey> keys = simulation.last_step().problem.contacts.key;
  EXPECT_FALSE(keys.empty());
  int changes = 0;
  RunUntil(0.5, &simulation,
           [&](const Simulation& after) { changes += after.last_step().problem.contacts.key != keys; });
  EXPECT_EQ(changes, 0);
  EXPECT_LT(simulation.state().v.norm(), 1e-6);
}

TEST(Statics, RestingBodiesKeepTheirContacts) {
  const std::string cube = BoxShape({0.1, 0.1, 0.1});
  const std::string table = "{type: plane}, {type: box, size: [1, 1, 0.2], position: [0, 0, 0.1]}";
  {
    SCOPED_TRACE("dropped flush on an equal box");
    ExpectSteadyContacts({{"lower", {0, 0, 0.05}, 0, cube}, {"upper", {0, 0, 0.1501}, 0, cube}});
  }
  {
    SCOPED_TRACE("set off");
    ExpectSteadyContacts({{"lower", {0, 0, 0.05}, 0, cube}, {"upper", {0.03, 0.02, 0.1501}, 0, cube}});
  }
  {
    SCOPED_TRACE("overhanging a table");
    ExpectSteadyContacts({{"box", {0.48, 0.1, 0.2501}, 0, cube}}, table);
  }
  {
    SCOPED_TRACE("dropped a little tilted");
    ExpectSteadyContacts({{"box", {0, 0, 0.2515}, 0.02, cube}}, table);
  }
  {
    SCOPED_TRACE("a plate from the edge of a table to the floor");
    const double lean = std::asin(0.2 / 0.5);  // its lower face through the edge of the table, 0.5 m from its foot
    const Vec3 foot(0.5 + 0.5 * std::cos(lean), 0, 0), along(-std::cos(lean), 0, std::sin(lean));
    const Vec3 up(std::sin(lean), 0, std::cos(lean));
    ExpectSteadyContacts({{"plate", foot + 0.3 * along + 0.01 * up, lean, BoxShape({0.6, 0.2, 0.02})}}, table);
  }
  {
    SCOPED_TRACE("two cards and a third");
    std::vector<Block> blocks;
    AddPair("pair", 0, 0, &blocks);
    blocks.push_back({"roof", {0, 0, PlateLevel()}, 0, kCard});
    ExpectSteadyContacts(blocks);
  }
}

}  // namespace
}  // namespace slipstick::internal
