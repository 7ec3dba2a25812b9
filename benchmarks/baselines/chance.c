/* Bounds of expectations, by passes over components: what a C program takes for the same passes.

   cc -O3 -march=native -o chance chance.c && ./chance FILE

   FILE has 64-bit numbers: the numbers of components, positions and edges; the first position of
   each component, and the end; the first edge of each position, and the end; then for each edge its
   code (twice its successor, and 1 more if the other player's value counts there); then for each its
   weight, with bit 20 if it is a further move in the result of chance before it, and bit 21 if the
   other player moves in this result; for each position whether a player moves (0), chance decides (1) or the game is over (2); and two bounds
   of each position, which are known where the game is over. Every component begins with the bounds
   -1 and 1 in units of 2^-45, and passes go on until nothing changes. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int64_t *read_numbers(FILE *file, size_t count) {
  int64_t *numbers = malloc(8 * count);
  if (fread(numbers, 8, count, file) != count) exit(1);
  return numbers;
}

static int64_t down(int64_t sum, int64_t by) {
  int64_t quotient = sum / by;
  return quotient - (sum % by < 0);
}

int main(int argc, char **argv) {
  FILE *file = fopen(argv[argc - 1], "rb");
  if (file == NULL) return 1;
  int64_t *sizes = read_numbers(file, 3);
  int64_t components = sizes[0], positions = sizes[1], edges = sizes[2];
  int64_t *starts = read_numbers(file, components + 1), *first = read_numbers(file, positions + 1);
  int64_t *wide_codes = read_numbers(file, edges), *wide_weights = read_numbers(file, edges);
  int64_t *wide_kinds = read_numbers(file, positions), *bounds = read_numbers(file, 2 * positions);
  uint32_t *codes = malloc(4 * edges), *weights = malloc(4 * edges);
  uint8_t *kinds = malloc(positions);
  for (int64_t e = 0; e < edges; e++) codes[e] = wide_codes[e], weights[e] = wide_weights[e];
  for (int64_t i = 0; i < positions; i++) kinds[i] = wide_kinds[i];
  clock_t began = clock();
  int64_t looked = 0;
  for (int64_t c = 0; c < components; c++) {
    for (int64_t i = starts[c]; i < starts[c + 1]; i++)
      if (kinds[i] != 2) bounds[2 * i] = bounds[2 * i + 1] = -(1ll << 45);
    for (int changed = 1; changed;) {
      changed = 0;
      for (int64_t i = starts[c]; i < starts[c + 1]; i++) {
        int64_t begin = first[i], end = first[i + 1], own = -(1ll << 62), other = 1ll << 62;
        looked += end - begin;
        if (kinds[i] == 1) {
          int64_t total = own = other = 0;
          for (int64_t e = begin; e < end;) {
            int64_t weight = weights[e] & 0xFFFFF, opposed = weights[e] >> 21 & 1;
            int64_t best = bounds[codes[e]], worst = bounds[codes[e] ^ 1];
            for (e++; e < end && weights[e] >> 20 & 1; e++) {
              int64_t a = bounds[codes[e]], b = bounds[codes[e] ^ 1];
              best = (a > best) != opposed ? a : best;
              worst = (b < worst) != opposed ? b : worst;
            }
            own += weight * best, other += weight * worst, total += weight;
          }
          own = down(own, total), other = down(other, total);
        } else if (kinds[i] == 2) {
          continue;
        } else {
          for (int64_t e = begin; e < end; e++) {
            int64_t a = bounds[codes[e]], b = bounds[codes[e] ^ 1];
            own = a > own ? a : own;
            other = b < other ? b : other;
          }
        }
        if (own > bounds[2 * i] || other > bounds[2 * i + 1]) {
          if (own > bounds[2 * i]) bounds[2 * i] = own;
          if (other > bounds[2 * i + 1]) bounds[2 * i + 1] = other;
          changed = 1;
        }
      }
    }
  }
  double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
  int64_t sum = 0;
  for (int64_t k = 0; k < 2 * positions; k++) sum = (int64_t)((uint64_t)sum * 31 + (uint64_t)bounds[k]);
  printf("{\"cpu\": %.6f, \"system\": 0, \"wall\": %.6f, \"answer\": {\"positions\": %lld, \"sum\": %lld}}\n",
         seconds, seconds, (long long)positions, (long long)sum);
  return 0;
}
