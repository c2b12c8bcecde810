#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "slipstick/base/eigen.h"

namespace slipstick::internal {

// A text of numbers between blanks, read in order. Whatever is not as expected is an InputError with file, line, what
// was to stand there and what does. `key` names what is being read, as in "W, column 3".
class NumberText {
 public:
  // `text` must outlive this.
  NumberText(std::string_view text, std::string file);

  std::size_t position() const { return position_; }
  std::size_t remaining() const { return words_.size() - position_; }
  // The word `ahead` places further on; empty beyond the end.
  std::string_view Peek(std::size_t ahead = 0) const;
  // Whether that word is a whole number, and which.
  bool PeekInteger(std::size_t ahead, long long* value) const;
  bool PeekNumber() const;
  // How many numbers follow before another word or the end.
  std::size_t CountNumbers() const;
  // How many words from here to the first that is `word`, or to the end.
  std::size_t CountUntil(std::string_view word) const;

  int Integer(const std::string& key, int least, int most);
  double Number(const std::string& key);
  VecX Numbers(const std::string& key, Eigen::Index count);
  std::string_view Word(const std::string& key, const std::string& expected);
  // The next word must be just this one.
  void Require(const std::string& key, std::string_view word);
  // Before anything is allocated: so many words must still be there.
  void RequireRemaining(const std::string& key, long long count) const;

  [[noreturn]] void Fail(const std::string& key, const std::string& expected) const;
  [[noreturn]] void Fail(const std::string& key, const std::string& expected, const std::string& found) const;

 private:
  struct Entry {
    std::string_view word;
    int line;
  };

  std::vector<Entry> words_;
  std::string file_;
  std::size_t position_ = 0;
};

}  // namespace slipstick::internal
