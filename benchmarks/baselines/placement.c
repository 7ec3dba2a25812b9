// Connect Four, win/draw/loss of every reachable position, bit-sliced: one bit a pattern of owners,
// a tier for each row of column heights. Plain loops over 64-bit words, for the compiler to
// vectorise; all patterns are computed, and reachable ones counted.
// usage: placement WIDTH HEIGHT BYTES-TO-TOUCH
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

typedef uint64_t u64;
enum { BLOCK = 64, MOST = 16 };
static const u64 VARIABLE[6] = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
                                0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};
static int width, height, tiers;
static u64 **win, **loss, **live, **seen;

typedef struct { int filled[MOST], stones; u64 taken, tops; } Tier;

static Tier tier_of(int id) {
    Tier t = {.stones = 0};
    for (int c = 0; c < width; c++, id /= height + 1) {
        t.filled[c] = id % (height + 1);
        t.stones += t.filled[c];
        for (int r = 0; r < t.filled[c]; r++) t.taken |= 1ull << (r * width + c);
        if (t.filled[c]) t.tops |= 1ull << ((t.filled[c] - 1) * width + c);
    }
    return t;
}
static u64 words_of(int stones) { return stones <= 6 ? 1 : 1ull << (stones - 6); }
static u64 room(int stones) { u64 n = words_of(stones); return n < BLOCK ? BLOCK : n; }
static int place_of(const Tier *t, int row, int column) {
    return __builtin_popcountll(t->taken & ((1ull << (row * width + column)) - 1));
}
static u64 insert(u64 x, int at, u64 bit) {
    return x >> at << (at + 1) | bit << at | (x & ((1ull << at) - 1));
}

typedef struct { u64 high; int rest; u64 low[BLOCK]; } Line;

// The lines of the player who moved last, through the top of a column.
static int find_lines(const Tier *t, Line *lines) {
    static const int STEP[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    int found = 0, first = t->stones & 1;
    for (int c = 0; c < width; c++) for (int r = 0; r < height; r++) for (int d = 0; d < 4; d++) {
        u64 cells = 0;
        for (int i = 0; i < 4; i++) {
            int x = c + i * STEP[d][0], y = r + i * STEP[d][1];
            if (x >= width || y < 0 || y >= height) { cells = ~0ull; break; }
            cells |= 1ull << (y * width + x);
        }
        if ((cells & t->taken) != cells || !(cells & t->tops)) continue;
        u64 pattern = _pext_u64(cells, t->taken);
        Line *line = &lines[found++];
        line->high = pattern >> 12;
        line->rest = (pattern & 4095) != 0;
        for (u64 w = 0; w < BLOCK; w++) {
            u64 held = ~0ull;
            for (int k = 0; k < 12; k++) if (pattern >> k & 1) {
                u64 ones = k < 6 ? VARIABLE[k] : w >> (k - 6) & 1 ? ~0ull : 0;
                held &= first ? ones : ~ones;
            }
            line->low[w] = held;
        }
    }
    return found;
}
static int ended(const Line *lines, int found, int first, u64 block, u64 *over) {
    memset(over, 0, 8 * BLOCK);
    for (int i = 0; i < found; i++) {
        if ((first ? ~block : block) & lines[i].high) continue;
        if (!lines[i].rest) { memset(over, 0xff, 8 * BLOCK); return 1; }
        for (int w = 0; w < BLOCK; w++) over[w] |= lines[i].low[w];
    }
    return 0;
}

static void reach(int id, Line *lines) {
    Tier t = tier_of(id);
    u64 words = words_of(t.stones), bit = t.stones & 1, over[BLOCK];
    u64 *here = seen[id] = calloc(room(t.stones), 8);
    live[id] = calloc(room(t.stones), 8);
    if (!t.stones) here[0] = 1;
    for (int c = 0, radix = 1; c < width; c++, radix *= height + 1) {
        if (!t.filled[c]) continue;
        int k = place_of(&t, t.filled[c] - 1, c);
        const u64 *from = live[id - radix];
        if (k >= 6) {
            u64 run = 1ull << (k - 6);
            for (u64 w = 0; w < words / 2; w += run)
                for (u64 j = 0; j < run; j++) here[2 * w + bit * run + j] |= from[w + j];
        } else {
            u64 mask = bit ? VARIABLE[k] : ~VARIABLE[k];
            for (u64 w = 0; w < words; w++)
                here[w] |= _pdep_u64(from[w / 2] >> (w & 1 ? 32 : 0) & 0xffffffff, mask);
        }
    }
    int found = find_lines(&t, lines);
    for (u64 b = 0; b < (words + BLOCK - 1) / BLOCK; b++) {
        ended(lines, found, bit, b, over);
        for (u64 w = 0; w < BLOCK; w++)
            live[id][b * BLOCK + w] = here[b * BLOCK + w] & ~over[w];
    }
}

static void sweep(int id, Line *lines) {
    Tier t = tier_of(id);
    u64 words = words_of(t.stones), bit = !(t.stones & 1), over[BLOCK];
    int in_block = words < BLOCK ? (int)words : BLOCK, found = find_lines(&t, lines);
    u64 *won = win[id] = malloc(8 * room(t.stones)), *lost = loss[id] = malloc(8 * room(t.stones));
    for (u64 b = 0; b < (words + BLOCK - 1) / BLOCK; b++) {
        u64 any[BLOCK] = {0}, all[BLOCK];
        memset(all, t.stones < width * height ? 0xff : 0, sizeof all);
        int whole = ended(lines, found, !bit, b, over);
        for (int c = 0, radix = 1; !whole && c < width; c++, radix *= height + 1) {
            if (t.filled[c] == height) continue;
            int k = place_of(&t, t.filled[c], c);
            const u64 *w_of = win[id + radix], *l_of = loss[id + radix];
            if (k >= 12) {
                u64 at = insert(b, k - 12, bit) * BLOCK;
                for (int w = 0; w < BLOCK; w++) any[w] |= l_of[at + w], all[w] &= w_of[at + w];
            } else if (k >= 6) {
                for (int w = 0; w < in_block; w++) {
                    u64 at = b * 2 * BLOCK + insert(w, k - 6, bit);
                    any[w] |= l_of[at], all[w] &= w_of[at];
                }
            } else {
                u64 mask = bit ? VARIABLE[k] : ~VARIABLE[k];
                for (int w = 0; w < in_block; w++) {
                    u64 at = b * 2 * BLOCK + 2 * w;
                    u64 l = _pext_u64(l_of[at], mask), v = _pext_u64(w_of[at], mask);
                    if (t.stones >= 6) {
                        l |= _pext_u64(l_of[at + 1], mask) << 32;
                        v |= _pext_u64(w_of[at + 1], mask) << 32;
                    }
                    any[w] |= l, all[w] &= v;
                }
            }
        }
        for (int w = 0; w < BLOCK; w++) {
            won[b * BLOCK + w] = any[w] & ~over[w];
            lost[b * BLOCK + w] = (all[w] & ~any[w]) | over[w];
        }
    }
}

int main(int count, char **given) {
    if (count < 3) return 2;
    sample_touch(count > 3 ? strtoull(given[3], NULL, 10) : 0);
    sample_begin();
    width = atoi(given[1]), height = atoi(given[2]), tiers = 1;
    for (int c = 0; c < width; c++) tiers *= height + 1;
    u64 **arrays = calloc(4 * (size_t)tiers, sizeof *arrays), total[3] = {0};
    win = arrays, loss = win + tiers, live = loss + tiers, seen = live + tiers;
    unsigned char *level = malloc(tiers);
    for (int id = 0; id < tiers; id++) level[id] = (unsigned char)tier_of(id).stones;
    Line *lines = malloc(4 * width * height * sizeof *lines);
    for (int n = 0; n <= width * height; n++)
        for (int id = 0; id < tiers; id++) {
            if (level[id] == n) reach(id, lines);
            else if (level[id] == n - 2) free(live[id]), live[id] = NULL;
        }
    for (int n = width * height; n >= 0; n--)
        for (int id = 0; id < tiers; id++) {
            if (level[id] == n + 2) free(win[id]), free(loss[id]), free(seen[id]);
            if (level[id] != n) continue;
            sweep(id, lines);
            for (u64 w = 0; w < words_of(n); w++) {
                total[0] += __builtin_popcountll(seen[id][w]);
                total[1] += __builtin_popcountll(seen[id][w] & win[id][w]);
                total[2] += __builtin_popcountll(seen[id][w] & loss[id][w]);
            }
        }
    sample_end();
    sample_print();
    printf("{\"positions\": %lu, \"win\": %lu, \"draw\": %lu, \"loss\": %lu, \"start\": %d}}\n", total[0],
           total[1], total[0] - total[1] - total[2], total[2],
           (int)(win[0][0] & 1) - (int)(loss[0][0] & 1));
    return 0;
}
