/* Node Kayles on a grid: the nimber of every connected set of nodes that play can leave.
 *
 * Depth first, with a hash table from sets of nodes, as bits, to nimbers. A move is split into its
 * connected parts, whose nimbers are added. The four reflections of a set are one set.
 *
 * usage: node_kayles ROWS COLUMNS BYTES-TO-TOUCH     (3 rows of up to 20 columns: a wide rectangle)
 * The answer: the sets found, the nimber of the whole grid, and how many sets have each nimber.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "sample.h"

static uint64_t closed[64]; /* each node and its neighbours */
static int nodes;
static uint64_t edge_rows, middle_row; /* the first row, and the second */
static uint64_t *keys;
static uint8_t *values;
static size_t slots = 1 << 12, used;

static size_t place_of(uint64_t set) {
    uint64_t x = (set ^ set >> 32) * 0x9e3779b97f4a7c15u;
    size_t at = (x ^ x >> 29) & (slots - 1);
    while (keys[at] && keys[at] != set) at = (at + 1) & (slots - 1);
    return at;
}

static void *must(void *block) {
    if (!block) exit(1);
    return block;
}

static void grow(void) {
    uint64_t *old = keys;
    uint8_t *known = values;
    size_t few = slots;
    slots *= 2;
    keys = must(calloc(slots, sizeof *keys));
    values = must(malloc(slots));
    for (size_t i = 0; i < few; i++)
        if (old[i]) {
            size_t at = place_of(old[i]);
            keys[at] = old[i];
            values[at] = known[i];
        }
    free(old);
    free(known);
}

static uint64_t part_of(uint64_t set) { /* the part of the lowest node */
    uint64_t part = set & -set, new = part;
    while (new) {
        int node = __builtin_ctzll(new);
        new &= new - 1;
        uint64_t more = closed[node] & set & ~part;
        part |= more;
        new |= more;
    }
    return part;
}

static uint64_t rows_swapped(uint64_t set) {
    return (set & edge_rows) << 2 | (set >> 2 & edge_rows) | (set & middle_row);
}

static uint64_t turned(uint64_t set) { /* by half a turn: the bits in reverse order */
    uint64_t x = __builtin_bswap64(set);
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0fu) | (x & 0x0f0f0f0f0f0f0f0fu) << 4;
    x = (x >> 2 & 0x3333333333333333u) | (x & 0x3333333333333333u) << 2;
    x = (x >> 1 & 0x5555555555555555u) | (x & 0x5555555555555555u) << 1;
    return x >> (64 - nodes);
}

static uint64_t least(uint64_t set) {
    uint64_t other = turned(set), swapped = rows_swapped(set), both = rows_swapped(other);
    if (other < set) set = other;
    if (swapped < set) set = swapped;
    return both < set ? both : set;
}

static unsigned nimber(uint64_t set) {
    set = least(set);
    size_t at = place_of(set);
    if (keys[at]) return values[at];
    uint64_t seen = 0; /* below 64, as there are at most 63 moves */
    for (uint64_t left = set; left; left &= left - 1) {
        uint64_t rest = set & ~closed[__builtin_ctzll(left)];
        unsigned sum = 0;
        while (rest) {
            uint64_t part = part_of(rest);
            rest &= ~part;
            sum ^= nimber(part);
        }
        seen |= 1ull << sum;
    }
    if (2 * ++used > slots) grow();
    at = place_of(set);
    keys[at] = set;
    return values[at] = (uint8_t)__builtin_ctzll(~seen);
}

int main(int argc, char **argv) {
    int rows = argc > 2 ? atoi(argv[1]) : 0, columns = argc > 2 ? atoi(argv[2]) : 0;
    if (rows != 3 || columns < 4 || columns > 20) return 2;
    nodes = rows * columns;
    for (int c = 0; c < columns; c++) {
        edge_rows |= 1ull << 3 * c;
        middle_row |= 2ull << 3 * c;
        for (int r = 0; r < rows; r++) {
            int v = c * rows + r;
            closed[v] = 1ull << v;
            if (r) closed[v] |= 1ull << (v - 1);
            if (r + 1 < rows) closed[v] |= 1ull << (v + 1);
            if (c) closed[v] |= 1ull << (v - rows);
            if (c + 1 < columns) closed[v] |= 1ull << (v + rows);
        }
    }
    sample_touch(argc > 3 ? strtoull(argv[3], NULL, 10) : 0);
    sample_begin();
    keys = must(calloc(slots, sizeof *keys));
    values = must(malloc(slots));
    unsigned whole = nimber((1ull << nodes) - 1);
    sample_end();
    size_t counts[64] = {0};
    for (size_t i = 0; i < slots; i++)
        if (keys[i]) counts[values[i]]++;
    int most = 63;
    while (most && !counts[most]) most--;
    sample_print();
    printf("{\"positions\": %zu, \"value\": %u, \"counts\": [", used, whole);
    for (int i = 0; i <= most; i++) printf(i ? ", %zu" : "%zu", counts[i]);
    puts("]}}");
    return 0;
}
