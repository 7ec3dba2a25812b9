/* The value of Connect Four positions by a plain alpha-beta search with a table, beside zermelo.prove:
 * null windows, the centre first, threats first, no move under a threat. A square is a bit, a column
 * has one bit to spare above it. Positions are moves by column, from 1; "-" is the empty board.
 *
 *     prove_connect_four 45461667 35333571 13333111
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef WIDTH
#define WIDTH 7
#endif
#ifndef HEIGHT
#define HEIGHT 6
#endif

enum { STRIDE = HEIGHT + 1, CELLS = WIDTH * HEIGHT };
typedef uint64_t bits;

/* An entry has 56 bits of the position, and two bounds of two bits each. */
static uint64_t *table, places, nodes;
static bits feet, board;
static int order[WIDTH];

/* The empty squares that would complete a row. */
static bits completing(bits p, bits stones) {
    static const int steps[] = {STRIDE, STRIDE - 1, STRIDE + 1};
    bits found = p << 1 & p << 2 & p << 3;
    for (int i = 0; i < 3; i++) {
        int s = steps[i];
        bits two = p << s & p << 2 * s;
        found |= two & (p << 3 * s | p >> s);
        two = p >> s & p >> 2 * s;
        found |= two & (p >> 3 * s | p << s);
    }
    return found & board & ~stones;
}

/* Whether a position is worth at least `target`, 0 or 1, to the player to move. */
static int test(bits mine, bits stones, int target, int count) {
    nodes++;
    if (count == CELLS) return target <= 0;
    bits playable = (stones + feet) & board;
    if (completing(mine, stones) & playable) return 1;
    bits losing = completing(mine ^ stones, stones), forced = losing & playable;
    if (forced) {
        if (forced & (forced - 1)) return 0;
        playable = forced;
    }
    playable &= ~(losing >> 1);
    if (!playable) return 0;

    uint64_t key = mine + stones + feet;
    uint64_t place = (unsigned __int128)(key * 0x9E3779B97F4A7C15ull) * places >> 64;
    uint64_t entry = table[place];
    int low = -1, high = 1;
    if (entry >> 8 == key) {
        low = (int)(entry & 3) - 1;
        high = (int)(entry >> 2 & 3) - 1;
        if (low >= target) return 1;
        if (high < target) return 0;
    }
    bits moves[WIDTH];
    int marks[WIDTH], many = 0, found = 0;
    for (int i = 0; i < WIDTH; i++) {
        bits move = playable & ((((bits)1 << HEIGHT) - 1) << order[i] * STRIDE);
        if (!move) continue;
        int mark = __builtin_popcountll(completing(mine | move, stones | move)), at = many++;
        for (; at && marks[at - 1] < mark; at--) {
            moves[at] = moves[at - 1];
            marks[at] = marks[at - 1];
        }
        moves[at] = move;
        marks[at] = mark;
    }
    for (int i = 0; i < many && !found; i++)
        found = !test(mine ^ stones, stones | moves[i], 1 - target, count + 1);
    if (found)
        low = target;
    else
        high = target - 1;
    table[place] = key << 8 | (uint64_t)(high + 1) << 2 | (uint64_t)(low + 1);
    return found;
}

int main(int argc, char **argv) {
    places = ((uint64_t)1 << 26) - 5;
    for (int i = 0; i < WIDTH; i++) {
        feet |= (bits)1 << i * STRIDE;
        order[i] = WIDTH / 2 + (i % 2 ? -1 : 1) * ((i + 1) / 2);
    }
    board = feet * (((bits)1 << HEIGHT) - 1);
    printf("{\"values\": [");
    for (int n = 1; n < argc; n++) {
        bits mine = 0, stones = 0;
        int count = 0;
        for (char *c = argv[n]; *c && *c != '-'; c++, count++) {
            mine ^= stones; /* the other player's, who moves next */
            stones |= stones + ((bits)1 << (*c - '1') * STRIDE);
        }
        table = calloc(places, sizeof *table);
        int value = test(mine, stones, 1, count) ? 1 : test(mine, stones, 0, count) ? 0 : -1;
        printf("%s%d", n > 1 ? ", " : "", value);
        free(table);
    }
    printf("], \"nodes\": %llu}\n", (unsigned long long)nodes);
    return 0;
}
