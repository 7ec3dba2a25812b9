/* King and queen against king and rook, every legal position: what a plain C program takes.

   cc -O3 -march=native -o endings endings.c && ./endings

   It knows these men and no others. Each position has a byte that counts the moves not yet known to
   lose, and its plies to mate; mates are found first, then what leads to them, by moves taken back.
   No symmetry. A man that was taken stands on square 64. Prints what it took, and the legal positions,
   those won and lost for the side to move, and the longest mate in plies. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "sample.h"

enum { OFF = 64, ILLEGAL = 0, UNKNOWN = 1, WON = 2, LOST = 3, DRAWN = 4 };
typedef struct { int king[2], man[2], side; } Board; /* man[0] is the queen, man[1] the rook */

static uint64_t step[64], ray[8][64];
static const int across[8] = {0, 1, 0, -1, 1, 1, -1, -1}, up[8] = {1, 0, -1, 0, 1, -1, -1, 1};

static void prepare(void) {
  for (int s = 0; s < 64; s++)
    for (int d = 0; d < 8; d++) {
      int x = s % 8 + across[d], y = s / 8 + up[d], first = 1;
      for (; x >= 0 && x < 8 && y >= 0 && y < 8; x += across[d], y += up[d], first = 0) {
        ray[d][s] |= 1ull << (8 * y + x);
        if (first) step[s] |= 1ull << (8 * y + x);
      }
    }
}

static uint64_t bit(int s) { return s == OFF ? 0 : 1ull << s; }

static uint64_t slides(int man, int s, uint64_t all) {
  if (s == OFF) return 0;
  uint64_t seen = 0;
  for (int d = 0; d < (man ? 4 : 8); d++) {
    uint64_t way = ray[d][s], stops = way & all;
    if (stops) {
      int forward = 8 * up[d] + across[d] > 0;
      int stop = forward ? __builtin_ctzll(stops) : 63 - __builtin_clzll(stops);
      way ^= ray[d][stop];
    }
    seen |= way;
  }
  return seen;
}

static uint64_t men(const Board *b) {
  return bit(b->king[0]) | bit(b->king[1]) | bit(b->man[0]) | bit(b->man[1]);
}

static int attacked(const Board *b, int side) { /* whether the king of a side is */
  uint64_t king = bit(b->king[side]);
  return ((step[b->king[!side]] | slides(!side, b->man[!side], men(b))) & king) != 0;
}

static int legal(const Board *b) {
  int n = 2 + (b->man[0] < OFF) + (b->man[1] < OFF);
  return __builtin_popcountll(men(b)) == n && !attacked(b, !b->side);
}

static uint32_t number(const Board *b) {
  return (((b->king[0] * 64u + b->king[1]) * 65 + b->man[0]) * 65 + b->man[1]) * 2 + b->side;
}

static Board board(uint32_t n) {
  Board b;
  b.side = n % 2, n /= 2;
  b.man[1] = n % 65, n /= 65;
  b.man[0] = n % 65, n /= 65;
  b.king[1] = n % 64, b.king[0] = n / 64;
  return b;
}

/* Write the positions after every legal move; return how many. */
static int moves(const Board *b, Board *out) {
  int s = b->side, count = 0;
  uint64_t all = men(b), own = bit(b->king[s]) | bit(b->man[s]);
  for (int which = 0; which < 2; which++) {
    uint64_t to = which ? slides(s, b->man[s], all) : step[b->king[s]];
    for (to &= ~own; to; to &= to - 1) {
      Board c = *b;
      int t = __builtin_ctzll(to);
      if (which) c.man[s] = t; else c.king[s] = t;
      if (c.man[!s] == t) c.man[!s] = OFF;
      c.side = !s;
      if (!attacked(&c, s)) out[count++] = c;
    }
  }
  return count;
}

/* Write the positions from which a legal move leads here. */
static int before(const Board *b, const uint8_t *state, uint32_t *out) {
  int s = !b->side, count = 0;
  uint64_t all = men(b);
  for (int which = 0; which < 2; which++) {
    int here = which ? b->man[s] : b->king[s];
    if (here == OFF) continue;
    uint64_t from = which ? slides(s, here, all) : step[here];
    for (from &= ~all; from; from &= from - 1)
      for (int took = 0; took < 1 + (b->man[!s] == OFF); took++) {
        Board c = *b;
        int f = __builtin_ctzll(from);
        if (which) c.man[s] = f; else c.king[s] = f;
        if (took) c.man[!s] = here;
        c.side = s;
        uint32_t n = number(&c);
        if (state[n] != ILLEGAL) out[count++] = n;
      }
  }
  return count;
}

int main(void) {
  uint32_t slots = 64 * 64 * 65 * 65 * 2, found = 0, longest = 0;
  uint64_t count[5] = {0};
  sample_touch(6ull * slots);
  sample_begin();
  uint8_t *state = calloc(slots, 1), *left = calloc(slots, 1);
  uint32_t *queue = malloc(4ull * slots), end = 0, at = 0, out[256];
  Board after[64];
  prepare();
  for (uint32_t n = 0; n < slots; n++) {
    Board b = board(n);
    state[n] = legal(&b) ? UNKNOWN : ILLEGAL;
    found += state[n] == UNKNOWN;
  }
  for (uint32_t n = 0; n < slots; n++) {
    if (state[n] == ILLEGAL) continue;
    Board b = board(n);
    left[n] = moves(&b, after);
    if (left[n]) continue;
    state[n] = attacked(&b, b.side) ? LOST : DRAWN;
    if (state[n] == LOST) queue[end++] = n;
  }
  for (uint32_t plies = 0; at < end; plies++) {
    longest = plies;
    for (uint32_t stop = end; at < stop; at++) {
      Board b = board(queue[at]);
      int here = state[queue[at]];
      for (int i = before(&b, state, out) - 1; i >= 0; i--) {
        uint32_t n = out[i];
        if (state[n] != UNKNOWN || (here == WON && --left[n])) continue;
        state[n] = here == LOST ? WON : LOST;
        queue[end++] = n;
      }
    }
  }
  sample_end();
  for (uint32_t n = 0; n < slots; n++) count[state[n]]++;
  sample_print();
  printf("{\"positions\": %u, \"win\": %lu, \"loss\": %lu, \"longest\": %u}}\n", found,
         (unsigned long)count[WON], (unsigned long)count[LOST], longest);
  return 0;
}
