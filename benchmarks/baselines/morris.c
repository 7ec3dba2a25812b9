/* Nine Men's Morris after placing, every position of up to WHITE and BLACK men: what a plain C
   program takes.

   cc -O3 -march=native -DWHITE=3 -DBLACK=4 -o morris morris.c && ./morris

   It knows this game and no other. A position's number is whose turn it is, how many men there are,
   and the ranks of both sets of points. Each position has a byte that counts the moves not yet known
   to lose; ends are found first, then what leads to them, by moves taken back. No symmetry. Prints
   what it took, and the positions, those won and lost for the side to move, and the longest win in
   plies. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "sample.h"

#ifndef WHITE
#define WHITE 3
#endif
#ifndef BLACK
#define BLACK 3
#endif
enum { POINTS = 24, MOST = 9, UNKNOWN = 1, WON = 2, LOST = 3 };
#define ALL ((1u << POINTS) - 1)
typedef struct { uint32_t men[2]; int side; } Board;

/* Points go round each square from its upper left corner, the outer square first. */
static uint32_t near[POINTS], line[POINTS][2];
static uint32_t choose[POINTS + 1][MOST + 1];
static uint32_t base[2][MOST + 1][MOST + 1], slots;
static uint32_t *sets[POINTS + 1][MOST + 1]; /* of so many points the sets of so many, by rank */
static uint32_t part[3][256][MOST + 1];      /* ranks, by byte and cells below: see rank() */

static void prepare(void) {
  for (int p = 0; p < POINTS; p++) {
    int square = p / 8 * 8, at = p % 8, lines = 0;
    near[p] = 1u << (square + (at + 1) % 8) | 1u << (square + (at + 7) % 8);
    if (at % 2) {
      if (p >= 8) near[p] |= 1u << (p - 8);
      if (p < 16) near[p] |= 1u << (p + 8);
      line[p][lines++] = 1u << at | 1u << (at + 8) | 1u << (at + 16);
    }
    for (int corner = 0; corner < 8; corner += 2) {
      uint32_t side = 1u << (square + corner) | 1u << (square + corner + 1);
      side |= 1u << (square + (corner + 2) % 8);
      if (side >> p & 1) line[p][lines++] = side;
    }
  }
  for (int n = 0; n <= POINTS; n++)
    for (int k = 0; k <= MOST; k++)
      choose[n][k] = k == 0 ? 1 : n == 0 ? 0 : choose[n - 1][k - 1] + choose[n - 1][k];
  for (int n = 0; n <= POINTS; n++)
    for (int k = 0; k <= MOST; k++) {
      if (k > n || k > (WHITE > BLACK ? WHITE : BLACK)) continue;
      sets[n][k] = malloc(4 * choose[n][k]);
      uint32_t set = (1u << k) - 1;
      for (uint32_t i = 0; i < choose[n][k]; i++) {
        sets[n][k][i] = set;
        if (set) { /* the next number with as many bits */
          uint32_t low = set & -set, up = set + low;
          set = up | ((set ^ up) >> 2) / low;
        }
      }
    }
  for (int byte = 0; byte < 3; byte++)
    for (int set = 0; set < 256; set++)
      for (int below = 0; below <= MOST; below++) {
        int k = below;
        part[byte][set][below] = 0;
        for (int i = 0; i < 8; i++)
          if (set >> i & 1 && ++k <= MOST) part[byte][set][below] += choose[8 * byte + i][k];
      }
  for (int side = 0; side < 2; side++)
    for (int w = 2; w <= WHITE; w++)
      for (int b = 2; b <= BLACK; b++) {
        if ((side ? w : b) < 3) continue; /* only who is to move may have two */
        base[side][w][b] = slots;
        slots += choose[POINTS][w] * choose[POINTS - w][b];
      }
}

static uint32_t rank(uint32_t set) { /* among the sets of as many points */
  int first = __builtin_popcount(set & 255), second = first + __builtin_popcount(set >> 8 & 255);
  return part[0][set & 255][0] + part[1][set >> 8 & 255][first] + part[2][set >> 16][second];
}

static uint32_t number(const Board *b) {
  int w = __builtin_popcount(b->men[0]), k = __builtin_popcount(b->men[1]);
  uint32_t left = __builtin_ia32_pext_si(b->men[1], ~b->men[0]);
  return base[b->side][w][k] + rank(b->men[0]) * choose[POINTS - w][k] + rank(left);
}

static Board board(uint32_t n) {
  Board b = {{0, 0}, n >= base[1][3][2]};
  int w = 2 + b.side, k = 3 - b.side;
  while (w < WHITE && n >= base[b.side][w + 1][3 - b.side]) w++;
  while (k < BLACK && n >= base[b.side][w][k + 1]) k++;
  n -= base[b.side][w][k];
  b.men[0] = sets[POINTS][w][n / choose[POINTS - w][k]];
  b.men[1] = __builtin_ia32_pdep_si(sets[POINTS - w][k][n % choose[POINTS - w][k]], ~b.men[0]);
  return b;
}

static uint32_t mills(uint32_t men) {
  uint32_t found = 0;
  for (int p = 0; p < POINTS; p++)
    for (int i = 0; i < 2; i++)
      if ((men & line[p][i]) == line[p][i]) found |= line[p][i];
  return found;
}

static int closes(uint32_t men, int there) {
  return (men & line[there][0]) == line[there][0] || (men & line[there][1]) == line[there][1];
}

static uint32_t outside(uint32_t men) { /* the men that a mill may take */
  uint32_t loose = men & ~mills(men);
  return loose ? loose : men;
}

/* Count the moves. */
static int moves(const Board *b) {
  uint32_t mine = b->men[b->side], theirs = b->men[!b->side], free = ALL & ~(mine | theirs);
  int flying = __builtin_popcount(mine) == 3, count = 0;
  int prey = __builtin_popcount(outside(theirs));
  for (uint32_t from = mine; from; from &= from - 1) {
    int here = __builtin_ctz(from);
    for (uint32_t to = flying ? free : free & near[here]; to; to &= to - 1) {
      int there = __builtin_ctz(to);
      count += closes((mine ^ 1u << here) | 1u << there, there) ? prey : 1;
    }
  }
  return count;
}

/* Write the numbers of the positions from which a move leads here. */
static int before(const Board *b, uint32_t *out) {
  static const int most[2] = {WHITE, BLACK};
  int s = !b->side, count = 0;
  uint32_t mine = b->men[s], theirs = b->men[!s], free = ALL & ~(mine | theirs);
  int flying = __builtin_popcount(mine) == 3;
  int others = __builtin_popcount(theirs);
  for (uint32_t at = mine; at; at &= at - 1) {
    int there = __builtin_ctz(at), milled = closes(mine, there);
    if (milled ? others >= most[!s] : others < 3) continue;
    for (uint32_t from = flying ? free : free & near[there]; from; from &= from - 1) {
      uint32_t here = from & -from;
      Board c = *b;
      c.men[s] = mine ^ 1u << there ^ here;
      c.side = s;
      if (!milled) {
        out[count++] = number(&c);
        continue;
      }
      for (uint32_t taken = free & ~here; taken; taken &= taken - 1) {
        uint32_t prey = taken & -taken;
        c.men[!s] = theirs | prey;
        if (outside(c.men[!s]) & prey) out[count++] = number(&c);
      }
    }
  }
  return count;
}

int main(void) {
  uint32_t end = 0, at = 0, longest = 0, out[2048];
  uint64_t count[4] = {0};
  prepare();
  sample_touch(7ull * slots);
  sample_begin();
  uint8_t *state = malloc(slots);
  uint16_t *left = malloc(2ull * slots);
  uint32_t *queue = malloc(4ull * slots);
  for (uint32_t n = 0; n < slots; n++) {
    Board b = board(n);
    left[n] = __builtin_popcount(b.men[b.side]) < 3 ? 0 : moves(&b);
    state[n] = left[n] ? UNKNOWN : LOST;
    if (!left[n]) queue[end++] = n;
  }
  for (uint32_t plies = 0; at < end; plies++) {
    longest = plies;
    for (uint32_t stop = end; at < stop; at++) {
      Board b = board(queue[at]);
      int here = state[queue[at]];
      for (int i = before(&b, out) - 1; i >= 0; i--) {
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
  printf("{\"positions\": %u, \"win\": %lu, \"loss\": %lu, \"longest\": %u}}\n", slots,
         (unsigned long)count[WON], (unsigned long)count[LOST], longest);
  return 0;
}
