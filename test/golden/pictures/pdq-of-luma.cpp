// Hashes a file of luma (doubles, row by row) with Meta's own functions: pdq-of-luma FILE WIDTH HEIGHT.
// Prints hash and quality; where a side is above 512 a second line, of the picture at 512 x 512 by nearest pixels, as
// Meta's program for files hashes it. make.mjs says how it is compiled.
#include <pdq/cpp/hashing/pdqhashing.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

static void print(std::vector<float> luma, int rows, int columns) {
  std::vector<float> scratch(luma.size());
  float block[64][64], half[16][64], frequencies[16][16];
  facebook::pdq::hashing::Hash256 hash;
  int quality = 0;
  facebook::pdq::hashing::pdqHash256FromFloatLuma(
      luma.data(), scratch.data(), rows, columns, block, half, frequencies, hash, quality);
  std::printf("%s %d\n", hash.format().c_str(), quality);
}

int main(int count, char** arguments) {
  if (count != 4) return 2;
  const int columns = std::atoi(arguments[2]), rows = std::atoi(arguments[3]);
  std::vector<double> luma(static_cast<size_t>(rows) * columns);
  std::ifstream file(arguments[1], std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(luma.data()), luma.size() * sizeof(double))) return 1;
  print(std::vector<float>(luma.begin(), luma.end()), rows, columns);
  if (rows <= 512 && columns <= 512) return 0;
  std::vector<float> small(512 * 512);
  for (int row = 0; row < 512; row++) {
    for (int column = 0; column < 512; column++) {
      const long from = static_cast<long>(row) * rows / 512 * columns + static_cast<long>(column) * columns / 512;
      small[row * 512 + column] = static_cast<float>(luma[from]);
    }
  }
  print(small, 512, 512);
}
