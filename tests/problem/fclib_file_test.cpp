#include "slipstick/problem/fclib_file.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <sstream>

#include "slipstick/base/fault.h"
#include "slipstick/problem/problem_file.h"
#include "slipstick/storage/hdf5_file.h"
#include "tests/problem/problem_samples.h"

namespace slipstick::internal {
namespace {

using ::testing::HasSubstr;
using testing::RandomGlobal;
using testing::RandomLocal;
using testing::SameBits;
using testing::Scratch;

void ExpectSame(const LocalProblem& a, const LocalProblem& b) {
  EXPECT_TRUE(SameBits(a.contacts, b.contacts));
  EXPECT_TRUE(SameBits(a.W, b.W) && SameBits(a.V, b.V) && SameBits(a.R, b.R));
  EXPECT_TRUE(SameBits(a.q, b.q) && SameBits(a.s, b.s));
}

void ExpectSame(const GlobalProblem& a, const GlobalProblem& b) {
  EXPECT_TRUE(SameBits(a.contacts, b.contacts));
  EXPECT_TRUE(SameBits(a.M, b.M) && SameBits(a.H, b.H) && SameBits(a.G, b.G));
  EXPECT_TRUE(SameBits(a.f, b.f) && SameBits(a.w, b.w) && SameBits(a.b, b.b));
}

TEST(FclibFile, GivesBackWhatWasWritten) {
  const Scratch scratch;
  std::mt19937 engine(1);
  for (int trial = 0; trial < 24; ++trial) {
    const int dimension = std::vector{2, 3, 5, 6}[static_cast<std::size_t>(trial % 4)];
    const int contacts = trial % 5, bilateral = trial % 3;
    const std::filesystem::path file = scratch / "problem.hdf5";
    FclibContent content;
    content.info = {"a title", "two\nlines, with µ", ""};
    if (trial % 2 == 0) {
      const LocalProblem problem = RandomLocal(dimension, contacts, bilateral, &engine);
      const int rows = problem.contacts.rows();
      content.problem = problem;
      content.solution =
          FclibSolution{testing::RandomVector(rows, &engine), testing::RandomVector(rows, &engine), {}, {}};
      content.solution->l = testing::RandomVector(bilateral, &engine);
      WriteFclib(file, content);
      const FclibContent read = ReadFclib(file);
      ExpectSame(std::get<LocalProblem>(read.problem), problem);
      EXPECT_TRUE(SameBits(read.solution->u, content.solution->u) && SameBits(read.solution->r, content.solution->r));
      EXPECT_TRUE(SameBits(read.solution->l, content.solution->l));
      EXPECT_EQ(read.info.description, content.info.description);
    } else {
      const GlobalProblem problem = RandomGlobal(dimension, contacts, 7 + trial, bilateral, &engine);
      content.problem = problem;
      WriteFclib(file, content);
      const FclibContent read = ReadFclib(file);
      ExpectSame(std::get<GlobalProblem>(read.problem), problem);
      EXPECT_FALSE(read.solution.has_value());
      EXPECT_EQ(read.info.title, content.info.title);
    }
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch.folder()), {}), 1) << "an unfinished file";
  }
}

TEST(FclibFile, EqualProblemsGiveEqualBytes) {
  const Scratch scratch;
  std::mt19937 engine(2);
  const FclibContent content{RandomLocal(3, 40, 2, &engine), {"t", "d", "m"}, {}};
  WriteFclib(scratch / "a", content);
  WriteFclib(scratch / "b", content);
  EXPECT_EQ(testing::ReadBytes(scratch / "a"), testing::ReadBytes(scratch / "b"));
}

// --- an independent reader
// --------------------------------------------------------------------------------------------

// Lines "name row column value" of check_fclib.py; nothing where there is no h5py.
std::map<std::string, std::map<std::pair<int, int>, double>> ReadByPython(const std::filesystem::path& file,
                                                                          std::string* kind) {
  const std::string script = std::string(SLIPSTICK_SOURCE_DIR) + "/tests/problem/check_fclib.py";
  const std::string out = file.string() + ".txt";
  const std::string command = std::string(SLIPSTICK_TEST_PYTHON) + " -B '" + script + "' '" + file.string() + "' > '" +
                              out + "' 2> '" + out + ".errors'";
  std::map<std::string, std::map<std::pair<int, int>, double>> numbers;
  const int status = std::system(command.c_str());
  EXPECT_EQ(status, 0) << testing::ReadBytes(out + ".errors");
  std::istringstream lines(testing::ReadBytes(out));
  std::string name, first, second, value;
  while (lines >> name >> first >> second >> value) {
    if (name == "kind") {
      *kind = first;
    } else {
      numbers[name][{std::atoi(first.c_str()), std::atoi(second.c_str())}] = std::strtod(value.c_str(), nullptr);
    }
  }
  std::filesystem::remove(out);
  std::filesystem::remove(out + ".errors");
  return numbers;
}

using Numbers = std::map<std::pair<int, int>, double>;

void ExpectMatrix(const Numbers& numbers, const SparseMat& matrix, bool is_mirrored = false) {
  if (!is_mirrored) {
    EXPECT_EQ(static_cast<Eigen::Index>(numbers.size()), matrix.nonZeros());
  }
  for (const auto& [place, value] : numbers) {
    const double here = matrix.coeff(place.first, place.second);
    EXPECT_TRUE(SameBits(&here, &value, 1)) << place.first << " " << place.second;
  }
}

void ExpectVector(const Numbers& numbers, const VecX& vector) {
  EXPECT_EQ(static_cast<Eigen::Index>(numbers.size()), vector.size());
  for (const auto& [place, value] : numbers) EXPECT_TRUE(SameBits(&vector[place.first], &value, 1)) << place.first;
}

void ExpectPythonAgrees(const std::filesystem::path& file) {
  SCOPED_TRACE(file.string());
  std::string kind;
  const Scratch scratch;
  std::filesystem::copy_file(file, scratch / "copy.hdf5");
  auto numbers = ReadByPython(scratch / "copy.hdf5", &kind);
  const FclibContent content = ReadFclib(file);
  if (const auto* local = std::get_if<LocalProblem>(&content.problem)) {
    EXPECT_EQ(kind, local->contacts.dimension >= 5 ? "fclib_local_rolling" : "fclib_local");
    ExpectMatrix(numbers["W"], local->W);
    ExpectMatrix(numbers["V"], local->V);
    ExpectMatrix(numbers["R"], local->R);
    ExpectVector(numbers["q"], local->q);
    ExpectVector(numbers["s"], local->s);
    ExpectVector(numbers["mu"], local->contacts.sliding);
    ExpectVector(numbers["mu_r"], local->contacts.rolling);
  } else {
    const auto& global = std::get<GlobalProblem>(content.problem);
    EXPECT_EQ(kind, global.contacts.dimension >= 5 ? "fclib_global_rolling" : "fclib_global");
    const bool is_mirrored = static_cast<Eigen::Index>(numbers["M"].size()) < global.M.nonZeros();
    ExpectMatrix(numbers["M"], global.M, is_mirrored);
    ExpectMatrix(numbers["H"], global.H);
    ExpectMatrix(numbers["G"], global.G);
    ExpectVector(numbers["f"], global.f);
    ExpectVector(numbers["w"], global.w);
    ExpectVector(numbers["b"], global.b);
    ExpectVector(numbers["mu"], global.contacts.sliding);
    ExpectVector(numbers["mu_r"], global.contacts.rolling);
  }
  if (content.solution) {
    ExpectVector(numbers["solution_u"], content.solution->u);
    ExpectVector(numbers["solution_r"], content.solution->r);
    ExpectVector(numbers["solution_v"], content.solution->v);
    ExpectVector(numbers["solution_l"], content.solution->l);
  }
}

bool HasH5py() {
  return std::system((std::string(SLIPSTICK_TEST_PYTHON) + " -c 'import h5py' > /dev/null 2>&1").c_str()) == 0;
}

TEST(FclibFile, IsReadByH5pyToTheBit) {
  if (!HasH5py()) GTEST_SKIP() << "h5py is missing (Debian's python3-h5py, which ./test installs)";
  const Scratch scratch;
  std::mt19937 engine(3);
  FclibContent content;
  const LocalProblem local = RandomLocal(3, 20, 2, &engine);
  content.problem = local;
  content.solution = FclibSolution{testing::RandomVector(60, &engine), testing::RandomVector(60, &engine), {}, {}};
  content.solution->l = testing::RandomVector(2, &engine);
  WriteFclib(scratch / "local", content);
  ExpectPythonAgrees(scratch / "local");
  content.problem = RandomLocal(5, 4, 0, &engine);
  content.solution.reset();
  WriteFclib(scratch / "rolling", content);
  ExpectPythonAgrees(scratch / "rolling");
  content.problem = RandomGlobal(3, 5, 40, 3, &engine);
  WriteFclib(scratch / "global", content);
  ExpectPythonAgrees(scratch / "global");
}

TEST(FclibFile, OfOthersIsReadAsH5pyReadsIt) {
  if (!HasH5py()) GTEST_SKIP() << "h5py is missing (Debian's python3-h5py, which ./test installs)";
  if (!std::filesystem::exists(testing::SharedProblems()))
    GTEST_SKIP() << "the problems of others are not part of this repository, and ../shared/problems is not there";
  for (const char* name :
       {"fc3d_global/CubeH8.hdf5", "fc3d_global/LMGC_GFC3D-i00001-1-00000.hdf5",
        "fc3d_global/Spheres-i099-356-679.hdf5", "fc3d_local/Capsules-i125-1213.hdf5",
        "fc3d_local/LMGC_100_PR_PerioBox-i00361-60-03000.hdf5", "fc3d_local/fclib_local_problem_test.hdf5",
        "rolling/Chute-ndof-768-nc-4-3.hdf5", "fc3d_global/LMGC_GlobalFrictionContactProblem00046.hdf5"}) {
    ExpectPythonAgrees(testing::SharedProblems() / name);
  }
}

// --- damage
// -----------------------------------------------------------------------------------------------------------

// Replaces (or, where `values` is empty on purpose, makes empty) one dataset of a file.
template <typename T>
void Put(hid_t file, const std::string& path, const std::vector<T>& values, int rank = 1) {
  if (H5Lexists(file, path.c_str(), H5P_DEFAULT) > 0) Require(H5Ldelete(file, path.c_str(), H5P_DEFAULT));
  const std::vector<hsize_t> extent =
      rank == 1 ? std::vector<hsize_t>{values.size()} : std::vector<hsize_t>{1, values.size()};
  const Hdf5Handle space = Own(H5Screate_simple(rank, extent.data(), nullptr));
  const Hdf5Handle dataset =
      Own(H5Dcreate2(file, path.c_str(), Hdf5Type<T>(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  if (!values.empty()) Require(H5Dwrite(dataset.get(), Hdf5Type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
}

void Delete(hid_t file, const char* path) { Require(H5Ldelete(file, path, H5P_DEFAULT)); }

using Ints = std::vector<std::int32_t>;
using Reals = std::vector<double>;

class DamagedFclib : public ::testing::Test {
 protected:
  DamagedFclib() {
    // one contact, W = [2 0 1; 0 3 0; 1 0 4]
    LocalProblem problem;
    problem.contacts.sliding = VecX::Constant(1, 0.5);
    problem.W = (Mat3() << 2, 0, 1, 0, 3, 0, 1, 0, 4).finished().sparseView();
    problem.q = Vec3(-1, 0, 1);
    WriteFclib(file_, {problem, {}, FclibSolution{Vec3::Zero(), Vec3::Zero(), {}, {}}});
  }

  LoadedProblem Load(const std::function<void(hid_t)>& change) const {
    const std::filesystem::path changed = scratch_ / "changed";
    std::filesystem::copy_file(file_, changed, std::filesystem::copy_options::overwrite_existing);
    {
      const Hdf5Handle file = Own(H5Fopen(changed.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
      change(file.get());
    }
    return LoadProblem(changed);
  }

  void Refuses(const std::string& what, const std::function<void(hid_t)>& change) const {
    try {
      Load(change);
      ADD_FAILURE() << "accepted; expected a fault of " << what;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(what));
      EXPECT_THAT(error.what(), HasSubstr("changed"));
    }
  }

  Scratch scratch_;
  std::filesystem::path file_ = scratch_ / "whole.hdf5";
};

TEST_F(DamagedFclib, IsReadInAllStorages) {
  const auto W = [&](const std::function<void(hid_t)>& change) { return MatX(std::get<LocalProblem>(Load(change)).W); };
  const Mat3 expected = (Mat3() << 2, 0, 1, 0, 3, 0, 1, 0, 4).finished();
  EXPECT_EQ(W([](hid_t) {}), expected);
  EXPECT_EQ(W([](hid_t f) {
              Put(f, "/fclib_local/W/nz", Ints{-1});
              Put(f, "/fclib_local/W/x", Reals{2, 7, 3, 1, 4});
            }),
            (Mat3() << 2, 0, 1, 0, 3, 0, 7, 0, 4).finished());
  // triplets: p columns, i rows; the first place twice
  EXPECT_EQ(W([](hid_t f) {
              Put(f, "/fclib_local/W/nz", Ints{4});
              Put(f, "/fclib_local/W/p", Ints{0, 0, 2, 1});
              Put(f, "/fclib_local/W/i", Ints{0, 0, 1, 2});
              Put(f, "/fclib_local/W/x", Reals{1, 2, 5, 6});
            }),
            (Mat3() << 3, 0, 0, 0, 0, 5, 0, 6, 0).finished());
  // room for more than there is, as FCLIB allows
  EXPECT_EQ(W([](hid_t f) { Put(f, "/fclib_local/W/nzmax", Ints{std::numeric_limits<std::int32_t>::max()}); }),
            expected);
}

TEST_F(DamagedFclib, IsRefusedWithThePlaceOfTheFault) {
  Refuses("fclib_local", [](hid_t f) { Delete(f, "/fclib_local"); });
  Refuses("spacedim", [](hid_t f) { Delete(f, "/fclib_local/spacedim"); });
  Refuses("spacedim", [](hid_t f) { Put(f, "/fclib_local/spacedim", Ints{4}); });
  Refuses("spacedim", [](hid_t f) { Put(f, "/fclib_local/spacedim", Ints{}); });
  Refuses("spacedim", [](hid_t f) { Put(f, "/fclib_local/spacedim", Reals{3}); });
  Refuses("vectors/q", [](hid_t f) { Put(f, "/fclib_local/spacedim", Ints{2}); });
  Refuses("vectors/q", [](hid_t f) { Delete(f, "/fclib_local/vectors/q"); });
  Refuses("vectors/q", [](hid_t f) { Put(f, "/fclib_local/vectors/q", Reals{1, 2}); });
  Refuses("vectors/q", [](hid_t f) { Put(f, "/fclib_local/vectors/q", Ints{1, 2, 3}); });
  Refuses("rank 2", [](hid_t f) { Put(f, "/fclib_local/vectors/q", Reals{1, 2, 3}, 2); });
  Refuses("q: expected finite", [](hid_t f) { Put(f, "/fclib_local/vectors/q", Reals{1, NAN, 3}); });
  Refuses("mu: expected finite", [](hid_t f) { Put(f, "/fclib_local/vectors/mu", Reals{INFINITY}); });
  Refuses("mu[0]", [](hid_t f) { Put(f, "/fclib_local/vectors/mu", Reals{-0.5}); });
  Refuses("W: expected finite", [](hid_t f) { Put(f, "/fclib_local/W/x", Reals{2, 1, NAN, 1, 4}); });
  Refuses("fclib_local/W", [](hid_t f) { Delete(f, "/fclib_local/W"); });
  for (const char* name : {"m", "n", "nz", "nzmax", "p", "i", "x"}) {
    const std::string path = std::string("/fclib_local/W/") + name;
    Refuses(path, [&](hid_t f) { Delete(f, path.c_str()); });
    Refuses(path, [&](hid_t f) { Put(f, path, Ints{}); });
  }
  Refuses("W/m", [](hid_t f) { Put(f, "/fclib_local/W/m", Ints{-3}); });
  Refuses("W/n", [](hid_t f) { Put(f, "/fclib_local/W/n", Ints{std::numeric_limits<std::int32_t>::max()}); });
  Refuses("W/nz", [](hid_t f) { Put(f, "/fclib_local/W/nz", Ints{-3}); });
  Refuses("W/nzmax", [](hid_t f) { Put(f, "/fclib_local/W/nzmax", Ints{4}); });
  Refuses("W/i", [](hid_t f) { Put(f, "/fclib_local/W/i", Ints{0, 2, 1, 0, 3}); });
  Refuses("W/i", [](hid_t f) { Put(f, "/fclib_local/W/i", Ints{0, 2, -1, 0, 2}); });
  Refuses("W/i", [](hid_t f) { Put(f, "/fclib_local/W/i", Ints{0, 2, 1, 0}); });
  Refuses("W/x", [](hid_t f) { Put(f, "/fclib_local/W/x", Reals{1}); });
  Refuses("W/p[0]", [](hid_t f) { Put(f, "/fclib_local/W/p", Ints{1, 2, 3, 5}); });
  Refuses("W/p[2]", [](hid_t f) { Put(f, "/fclib_local/W/p", Ints{0, 3, 2, 5}); });
  Refuses("W/p[1]", [](hid_t f) { Put(f, "/fclib_local/W/p", Ints{0, 9, 5, 5}); });
  Refuses("W/p", [](hid_t f) { Put(f, "/fclib_local/W/p", Ints{0, 2, 5}); });
  Refuses("W/nzmax", [](hid_t f) { Put(f, "/fclib_local/W/p", Ints{0, 2, 3, 2000000000}); });
  Refuses("W/p[1]", [](hid_t f) {
    Put(f, "/fclib_local/W/nz", Ints{2});
    Put(f, "/fclib_local/W/p", Ints{0, 3});
  });
  Refuses("vectors/s", [](hid_t f) { Own(H5Gcreate2(f, "/fclib_local/V", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)); });
  Refuses("/solution/r", [](hid_t f) { Put(f, "/solution/r", Reals{1}); });
  Refuses("/solution/u", [](hid_t f) { Put(f, "/solution/u", Reals{1, 2, NAN}); });
  Refuses("more numbers than", [](hid_t f) {
    // a list that is longer than anything the file can hold, never written
    Delete(f, "/fclib_local/vectors/mu");
    const hsize_t extent = 1ULL << 40, block = 1 << 16;
    const Hdf5Handle space = Own(H5Screate_simple(1, &extent, nullptr));
    const Hdf5Handle properties = Own(H5Pcreate(H5P_DATASET_CREATE));
    Require(H5Pset_chunk(properties.get(), 1, &block));
    Own(H5Dcreate2(f, "/fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, space.get(), H5P_DEFAULT, properties.get(),
                   H5P_DEFAULT));
  });
}

TEST_F(DamagedFclib, CutShortIsRefused) {
  const std::string bytes = testing::ReadBytes(file_);
  for (std::size_t length = 0; length < bytes.size(); length += 1 + bytes.size() / 97) {
    testing::WriteBytes(scratch_ / "cut", bytes.substr(0, length));
    EXPECT_THROW(LoadProblem(scratch_ / "cut"), InputError) << length;
  }
}

TEST_F(DamagedFclib, RandomDamageIsReadOrRefused) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "HDF5 itself asks for impossible amounts of memory here, and loses some when it is refused";
#endif
  const std::string bytes = testing::ReadBytes(file_);
  std::mt19937 engine(4);
  int refused = 0;
  for (int trial = 0; trial < 500; ++trial) {
    std::string changed = bytes;
    for (unsigned flips = 1 + engine() % 4; flips > 0; --flips) {
      changed[engine() % changed.size()] ^= static_cast<char>(1U << engine() % 8);
    }
    // all bits set: the addresses and lengths that most easily run over
    if (trial % 3 == 0) changed.replace(engine() % (changed.size() - 8), 8, 8, '\xff');
    testing::WriteBytes(scratch_ / "damaged", changed);
    try {
      LoadProblem(scratch_ / "damaged");
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 50);
}

TEST_F(DamagedFclib, NothingThereOrNothingInIt) {
  EXPECT_THROW(ReadFclib(scratch_ / "absent"), InputError);
  EXPECT_THROW(ReadFclib(scratch_.folder()), InputError);
  testing::WriteBytes(scratch_ / "empty", "");
  EXPECT_THROW(ReadFclib(scratch_ / "empty"), InputError);
  EXPECT_THROW(WriteFclib(scratch_ / "no/such/folder", {LocalProblem(), {}, {}}), InputError);
  LocalProblem wrong;
  wrong.q = Vec3::Zero();
  EXPECT_THROW(WriteFclib(scratch_ / "wrong", {wrong, {}, {}}), InputError);
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "wrong"));
}

TEST_F(DamagedFclib, UpperTriangleOfMIsMirrored) {
  std::mt19937 engine(5);
  GlobalProblem problem = RandomGlobal(3, 2, 9, 0, &engine);
  const SparseMat whole = problem.M;
  problem.M = SparseMat(whole.triangularView<Eigen::Upper>());
  WriteFclib(scratch_ / "upper", {problem, {}, {}});
  const auto read = std::get<GlobalProblem>(LoadProblem(scratch_ / "upper"));
  EXPECT_LT(SparseMat(read.M - whole).norm(), 1e-15 * whole.norm());
}

}  // namespace
}  // namespace slipstick::internal
