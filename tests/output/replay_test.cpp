#include "slipstick/output/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "slipstick/base/random_source.h"
#include "slipstick/output/base64.h"

// Replays: what is read back by a reader written from docs/file-formats.md alone is what was recorded, to the grid.

namespace slipstick::internal {
namespace {

using nlohmann::json;

std::string Inflate(const std::string& packed) {
  std::string bytes(100'000'000, '\0');
  uLongf size = bytes.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(packed.data()),
                       packed.size()),
            Z_OK);
  bytes.resize(size);
  return bytes;
}

struct DecodedContact {
  std::uint64_t shape_a = 0, shape_b = 0, place_a = 0, place_b = 0, state = 0;
  Vec3 position, normal, force, moment, slip;
  double gap = 0, friction_static = 0, friction_kinetic = 0, rolling = 0, spinning = 0, residual = 0;
};

struct DecodedBlock {
  std::vector<double> times;
  std::vector<std::vector<Pose>> poses;
  std::vector<std::uint64_t> loaded;
  std::vector<std::vector<DecodedContact>> contacts;
};

class Decoder {
 public:
  explicit Decoder(std::string bytes) : bytes_(std::move(bytes)) {}

  DecodedBlock Block(std::size_t bodies, const ReplayFormat& format) {
    DecodedBlock block;
    const std::size_t frames = Whole();
    for (std::size_t i = 0; i < frames; ++i) {
      block.times.push_back(0);
      std::memcpy(&block.times.back(), bytes_.data() + at_, 8);
      at_ += 8;
    }
    block.poses.assign(frames, std::vector<Pose>(bodies));
    for (int component = 0; component < 7; ++component) {
      std::vector<std::int64_t> last(bodies, 0);
      for (std::size_t k = 0; k < frames; ++k) {
        for (std::size_t i = 0; i < bodies; ++i) {
          last[i] += Signed();
          Pose& pose = block.poses[k][i];
          double* place[] = {&pose.rotation.w(), &pose.rotation.x(), &pose.rotation.y(), &pose.rotation.z(),
                             &pose.position.x(), &pose.position.y(), &pose.position.z()};
          *place[component] =
              static_cast<double>(last[i]) * (component < 4 ? format.rotation_unit : format.position_unit);
        }
      }
    }
    ReadContacts(frames, format, &block);
    EXPECT_EQ(at_, bytes_.size());
    return block;
  }

 private:
  std::uint64_t Whole() {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const unsigned char byte = static_cast<unsigned char>(bytes_.at(at_++));
      value |= static_cast<std::uint64_t>(byte & 127u) << shift;
      if (byte < 128) return value;
    }
  }
  std::int64_t Signed() {
    const std::uint64_t value = Whole();
    return value % 2 == 0 ? static_cast<std::int64_t>(value / 2) : -static_cast<std::int64_t>(value / 2) - 1;
  }
  std::vector<double> Floats(std::size_t count) {
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t bits = 0;
      for (std::size_t plane = 0; plane < 3; ++plane) {
        bits = bits << 8 | static_cast<unsigned char>(bytes_.at(at_ + plane * count + i));
      }
      values.push_back(std::bit_cast<float>(bits << 8));
    }
    at_ += 3 * count;
    return values;
  }
  void ReadContacts(std::size_t frames, const ReplayFormat& format, DecodedBlock* block) {
    std::vector<std::size_t> counts;
    std::size_t count = 0;
    for (std::size_t k = 0; k < frames; ++k) {
      block->loaded.push_back(Whole());
      counts.push_back(Whole());
      count += counts.back();
    }
    std::vector<DecodedContact> all(count);
    for (DecodedContact& contact : all) contact.shape_a = Whole();
    for (DecodedContact& contact : all) contact.shape_b = Whole();
    for (DecodedContact& contact : all) contact.place_a = Whole();
    for (DecodedContact& contact : all) contact.place_b = Whole();
    for (DecodedContact& contact : all) contact.state = Whole();
    for (int axis = 0; axis < 3; ++axis) {
      for (DecodedContact& contact : all) contact.position[axis] = static_cast<double>(Signed()) * format.position_unit;
    }
    for (Vec3 DecodedContact::*vector :
         {&DecodedContact::normal, &DecodedContact::force, &DecodedContact::moment, &DecodedContact::slip}) {
      for (int axis = 0; axis < 3; ++axis) {
        const std::vector<double> values = Floats(count);
        for (std::size_t i = 0; i < count; ++i) (all[i].*vector)[axis] = values[i];
      }
    }
    for (double DecodedContact::*number :
         {&DecodedContact::gap, &DecodedContact::friction_static, &DecodedContact::friction_kinetic,
          &DecodedContact::rolling, &DecodedContact::spinning, &DecodedContact::residual}) {
      const std::vector<double> values = Floats(count);
      for (std::size_t i = 0; i < count; ++i) all[i].*number = values[i];
    }
    auto next = all.begin();
    for (const std::size_t of_frame : counts) {
      block->contacts.emplace_back(next, next + static_cast<std::ptrdiff_t>(of_frame));
      next += static_cast<std::ptrdiff_t>(of_frame);
    }
  }

  std::string bytes_;
  std::size_t at_ = 0;
};

RecordingHeader HeaderOfBalls(int count, double radius) {
  RecordingHeader header;
  for (int i = 0; i < count; ++i) {
    header.body_names.push_back("ball " + std::to_string(i));
    header.body_releases.push_back(0);
    header.shapes.push_back({header.body_names.back(), "sphere", "sphere", {radius}, Pose(), {}});
  }
  header.shapes.push_back({"world", "floor", "plane", {}, Pose(), {}});
  return header;
}

std::vector<Pose> RandomPoses(int count, RandomSource* random) {
  std::vector<Pose> poses(static_cast<std::size_t>(count));
  for (Pose& pose : poses) {
    pose.rotation = random->Rotation();
    pose.position = Vec3(random->Uniform(-20, 20), random->Uniform(-2, 2), random->Uniform(0, 1));
  }
  return poses;
}

RecordingContact RandomContact(int shapes, RandomSource* random) {
  const auto vector = [&] { return Vec3(random->Uniform(-9, 9), random->Uniform(-9, 9), random->Uniform(-9, 9)); };
  RecordingContact contact;
  contact.shape_a = static_cast<int>(random->Uniform(0, shapes));
  contact.shape_b = shapes;
  contact.place_a = static_cast<std::uint32_t>(random->Uniform(0, 4e9));
  contact.place_b = static_cast<std::uint32_t>(random->Uniform(0, 4e9));
  contact.position = vector();
  contact.normal = vector().normalized();
  contact.force = vector();
  contact.moment = 1e-6 * vector();
  contact.slip_velocity = 1e3 * vector();
  contact.gap = -1e-7;
  contact.state = 2;
  contact.friction_static = 0.7;
  contact.friction_kinetic = 0.6;
  contact.rolling = 0.002;
  contact.spinning = 0;
  contact.coulomb_residual = 3e-9;
  return contact;
}

TEST(Replay, FramesComeBackToTheGrid) {
  constexpr int kBalls = 7;
  RandomSource random(1);
  const RecordingHeader header = HeaderOfBalls(kBalls, 0.1);
  for (const std::size_t frame_count : {std::size_t{12}, std::size_t{1'000'000}}) {
    const ReplayFormat format = ChooseReplayFormat(header, frame_count);
    std::vector<ReplayFrame> frames;
    for (int k = 0; k < 12; ++k) {
      frames.push_back({.t = 0.1 * k, .poses = RandomPoses(kBalls, &random), .contacts = {}});
      for (int i = 0; i < k; ++i) frames.back().contacts.push_back(RandomContact(kBalls, &random));
    }
    const DecodedBlock block = Decoder(Inflate(EncodeReplayBlock(header, format, frames))).Block(kBalls, format);
    ASSERT_EQ(block.times.size(), frames.size());
    for (std::size_t k = 0; k < frames.size(); ++k) {
      EXPECT_EQ(block.times[k], frames[k].t);
      for (std::size_t i = 0; i < kBalls; ++i) {
        const Pose &exact = frames[k].poses[i], &read = block.poses[k][i];
        EXPECT_LE((read.position - exact.position).cwiseAbs().maxCoeff(), format.position_unit / 2);
        // the same rotation, whichever sign
        EXPECT_LE(1 - std::abs(read.rotation.normalized().dot(exact.rotation)), 4 * std::pow(format.rotation_unit, 2));
      }
      ASSERT_EQ(block.contacts[k].size(), frames[k].contacts.size());
      EXPECT_EQ(block.loaded[k], frames[k].contacts.size());
      for (std::size_t i = 0; i < frames[k].contacts.size(); ++i) {
        const RecordingContact& exact = frames[k].contacts[i];
        const DecodedContact& read = block.contacts[k][i];
        EXPECT_EQ(read.shape_a, static_cast<std::uint64_t>(exact.shape_a));
        EXPECT_EQ(read.shape_b, static_cast<std::uint64_t>(exact.shape_b));
        EXPECT_EQ(read.place_a, exact.place_a);
        EXPECT_EQ(read.place_b, exact.place_b);
        EXPECT_EQ(read.state, 2u);
        EXPECT_LE((read.position - exact.position).cwiseAbs().maxCoeff(), format.position_unit / 2);
        EXPECT_LE((read.normal - exact.normal).norm(), 2e-5);
        EXPECT_LE((read.force - exact.force).norm(), 2e-5 * exact.force.norm());
        EXPECT_LE((read.moment - exact.moment).norm(), 2e-5 * exact.moment.norm());
        EXPECT_LE((read.slip - exact.slip_velocity).norm(), 2e-5 * exact.slip_velocity.norm());
        EXPECT_NEAR(read.gap, -1e-7, 1e-12);
        EXPECT_NEAR(read.friction_static, 0.7, 1e-5);
        EXPECT_NEAR(read.friction_kinetic, 0.6, 1e-5);
        EXPECT_NEAR(read.rolling, 0.002, 1e-7);
        EXPECT_EQ(read.spinning, 0);
        EXPECT_NEAR(read.residual, 3e-9, 1e-13);
      }
    }
  }
}

TEST(Replay, HeaderTellsBodiesAndSharesGeometries) {
  RecordingHeader header = HeaderOfBalls(50, 0.1);
  header.shapes[3].sizes = {0.2};
  header.body_inertias.assign(50, {2.0, Vec3(0, 0, 0.1), Mat3::Identity()});
  header.body_releases[7] = 1.5;
  const ReplayFormat format = ChooseReplayFormat(header, 10);
  const json encoded = json::parse(EncodeReplayHeader(header, format));
  EXPECT_EQ(encoded["format"], "slipstick-replay 2");
  EXPECT_EQ(encoded["body_names"].size(), 50u);
  EXPECT_EQ(encoded["body_releases"][7], 1.5);
  EXPECT_EQ(encoded["body_inertias"][0], json::parse("[2, 0, 0, 0.1, 1, 1, 1, 0, 0, 0]"));
  EXPECT_EQ(encoded["geometries"].size(), 3u);
  EXPECT_EQ(encoded["shapes"][3]["geometry"], 1);
  EXPECT_EQ(encoded["shapes"][4]["geometry"], encoded["shapes"][0]["geometry"]);
  EXPECT_EQ(encoded["shapes"][4]["body"], 4);
  EXPECT_EQ(encoded["shapes"][50]["body"], -1);
  EXPECT_EQ(encoded["position_unit"].get<double>(), format.position_unit);
}

// What rests, or trembles below the grid, takes less than a byte for fifty poses.
TEST(Replay, RestTakesNoRoom) {
  constexpr int kBalls = 1000;
  RandomSource random(2);
  const RecordingHeader header = HeaderOfBalls(kBalls, 0.02);
  const ReplayFormat format = ChooseReplayFormat(header, 1000);
  const auto size_of = [&](int count) {
    RandomSource same(3);
    std::vector<ReplayFrame> frames(static_cast<std::size_t>(count));
    std::vector<Pose> start = RandomPoses(kBalls, &same);
    // in the middle of a cell, so that trembling does not cross its border
    for (Pose& pose : start) {
      for (double& x : pose.position) x = std::round(x / format.position_unit) * format.position_unit;
      for (double& x : pose.rotation.coeffs()) x = std::round(x / format.rotation_unit) * format.rotation_unit;
    }
    for (ReplayFrame& frame : frames) {
      frame.poses = start;
      for (Pose& pose : frame.poses) pose.position.z() += random.Uniform(-0.3, 0.3) * format.position_unit;
    }
    return EncodeReplayBlock(header, format, frames).size();
  };
  EXPECT_LT(size_of(101) - size_of(1), 100u * kBalls / 50u);
}

TEST(Replay, KeepsTheStrongestContacts) {
  const RecordingHeader header = HeaderOfBalls(3, 0.1);
  ReplayFormat format = ChooseReplayFormat(header, 10);
  format.most_contacts = 3;
  RandomSource random(4);
  std::vector<ReplayFrame> frames(1);
  frames[0].poses = RandomPoses(3, &random);
  for (const double force : {1.0, 5.0, 2.0, 0.0, 4.0, 3.0}) {
    RecordingContact contact = RandomContact(3, &random);
    contact.force = Vec3(0, 0, force);
    contact.state = force > 0 ? 1 : 0;
    contact.angular_velocity = Vec3::Zero();
    frames[0].contacts.push_back(contact);
  }
  const DecodedBlock block = Decoder(Inflate(EncodeReplayBlock(header, format, frames))).Block(3, format);
  EXPECT_EQ(block.loaded[0], 5u);
  std::vector<double> kept;
  for (const DecodedContact& contact : block.contacts[0]) kept.push_back(contact.force.z());
  EXPECT_THAT(kept, ::testing::ElementsAre(5.0, 4.0, 3.0));
}

// Sticking, and turning about an axis in the plane of contact; about the normal it spins, which is no rolling.
TEST(Replay, TellsRollingFromSticking) {
  const RecordingHeader header = HeaderOfBalls(1, 0.1);
  const ReplayFormat format = ChooseReplayFormat(header, 10);
  RandomSource random(5);
  std::vector<ReplayFrame> frames(1);
  frames[0].poses = RandomPoses(1, &random);
  const auto add = [&](int state, const Vec3& turning) {
    RecordingContact contact = RandomContact(1, &random);
    contact.shape_a = 0;
    contact.normal = Vec3::UnitZ();
    contact.state = state;
    contact.angular_velocity = turning;
    frames[0].contacts.push_back(contact);
  };
  add(1, Vec3(0, 2, 0));
  add(1, Vec3(0, 0, 2));
  add(1, Vec3(0.009, 0, 0));  // 0.9 mm/s at the radius of 0.1 m
  add(1, Vec3(0.011, 0, 0));
  add(2, Vec3(0, 2, 0));
  add(1, Vec3::Constant(std::numeric_limits<double>::quiet_NaN()));  // a recording of an older program
  const DecodedBlock block = Decoder(Inflate(EncodeReplayBlock(header, format, frames))).Block(1, format);
  std::vector<std::uint64_t> states;
  for (const DecodedContact& contact : block.contacts[0]) states.push_back(contact.state);
  EXPECT_THAT(states, ::testing::ElementsAre(3, 1, 1, 3, 2, 1));
}

TEST(Replay, NumbersThatAreNotFiniteLeaveThePoseAsItWas) {
  const RecordingHeader header = HeaderOfBalls(1, 0.1);
  const ReplayFormat format = ChooseReplayFormat(header, 10);
  RandomSource random(6);
  std::vector<ReplayFrame> frames(3);
  for (ReplayFrame& frame : frames) frame.poses = RandomPoses(1, &random);
  frames[1].poses[0].position.x() = std::numeric_limits<double>::quiet_NaN();
  frames[2].poses[0].position.y() = 1e300;
  const DecodedBlock block = Decoder(Inflate(EncodeReplayBlock(header, format, frames))).Block(1, format);
  EXPECT_EQ(block.poses[1][0].position, block.poses[0][0].position);
  EXPECT_TRUE(block.poses[2][0].position.allFinite());
}

class ReplayOfRecording : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) / ("replay_of_" + std::to_string(::getpid()));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(ReplayOfRecording, ThinnedOutToTheLimits) {
  constexpr int kBalls = 4, kFrames = 101;
  const RecordingHeader header = HeaderOfBalls(kBalls, 0.1);
  RandomSource random(7);
  std::vector<std::vector<Pose>> poses;
  {
    RecordingWriter writer(folder_, header);
    for (int k = 0; k < kFrames; ++k) {
      poses.push_back(RandomPoses(kBalls, &random));
      // every fifth frame has many contacts
      std::vector<RecordingContact> contacts(k % 5 == 0 ? 40 : 2);
      for (RecordingContact& contact : contacts) contact = RandomContact(kBalls, &random);
      writer.Append({.t = 0.01 * k, .poses = poses.back(), .q = {}, .v = {}, .scalars = {}, .contacts = contacts});
    }
    writer.Close();
  }
  const RecordingReader reader(folder_);
  const EncodedReplay whole = EncodeReplay(reader);
  EXPECT_EQ(whole.stride, 1);
  EXPECT_EQ(whole.times.size(), 101u);

  const EncodedReplay thin = EncodeReplay(reader, {.poses = 4 * 40, .frames = 1000, .contacts = 100});
  EXPECT_EQ(thin.stride, 3);
  EXPECT_EQ(thin.times.size(), 35u);  // 0, 3 … 99, and the last
  EXPECT_EQ(thin.times.back(), 1.0);
  ASSERT_EQ(thin.blocks.size(), 1u);
  const ReplayFormat format = ChooseReplayFormat(header, 35);
  const DecodedBlock block = Decoder(Inflate(thin.blocks[0])).Block(kBalls, format);
  std::size_t kept = 0;
  for (const auto& contacts : block.contacts) kept += contacts.size();
  EXPECT_LE(kept, 100u);
  EXPECT_GT(kept, 90u);  // as many as fit
  EXPECT_EQ(block.loaded[0], 40u);
  EXPECT_LE((block.poses[1][2].position - poses[3][2].position).norm(), 2 * format.position_unit);
}

TEST(Base64, MatchesTheStandard) {
  EXPECT_EQ(Base64(""), "");
  EXPECT_EQ(Base64("f"), "Zg==");
  EXPECT_EQ(Base64("fo"), "Zm8=");
  EXPECT_EQ(Base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(Base64("\xff\xfe\xfd"), "//79");
}

}  // namespace
}  // namespace slipstick::internal
