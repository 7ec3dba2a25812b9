/* Connect Four in C: every position that can arise, its outcome and how many plies it is from the
 * end. Breadth first into a hash table with open addressing, then back from the last layer to the
 * first; whatever will be looked up is asked for some hundred look-ups ahead.
 *
 *   cc -O3 -march=native -DWIDTH=5 -DHEIGHT=5 -o connect_four connect_four.c && ./connect_four
 *
 * An argument is a number of bytes to touch and give back before the clock starts, so that the
 * system has them at hand.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sample.h"

#ifndef WIDTH
#define WIDTH 4
#endif
#ifndef HEIGHT
#define HEIGHT 4
#endif

#define STRIDE (HEIGHT + 1)
#define SQUARES (WIDTH * HEIGHT)
#define BATCH 64

#if WIDTH * (HEIGHT + 1) > 56
#error "a position has to fit 56 bits, as the table keeps its value in the other 8"
#endif
#if HEIGHT > 7
#error "stones() goes down 7 squares from a guard bit"
#endif

/* A position is one number. In each column a guard bit stands above the stones, and below it a 1
 * is a stone of the player to move. */
typedef uint64_t position;

/* An entry of the table: a position in the upper 56 bits, its code in the lower 8. No position is
 * 0, so 0 is an empty entry. A code is 128 + (100 - plies) for a win, 128 - (100 - plies) for a
 * loss and 128 for a draw. */
static uint64_t *table;
static uint64_t mask;
static int shift;

static position *found; /* in the order they were found */
static uint64_t count;
static uint64_t tally[256][SQUARES + 1]; /* by code and stones on the board */

static uint64_t feet, squares, within[3];

static void *memory(uint64_t bytes)
{
    void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED) {
        fprintf(stderr, "no memory for %" PRIu64 " bytes\n", bytes);
        exit(3);
    }
#ifdef MADV_HUGEPAGE
    madvise(block, bytes, MADV_HUGEPAGE);
#endif
    return block;
}

static uint64_t place(position p)
{
    p ^= p >> 29;
    return p * 0x9E3779B97F4A7C15u >> shift;
}

static void use_table(int bits)
{
    table = memory(sizeof *table << bits);
    mask = ((uint64_t)1 << bits) - 1;
    shift = 64 - bits;
}

static void grow(int bits)
{
    munmap(table, sizeof *table * (mask + 1));
    use_table(bits);
    for (uint64_t i = 0; i < count; i++) {
        if (i + BATCH < count)
            __builtin_prefetch(table + place(found[i + BATCH]), 1);
        uint64_t at = place(found[i]);
        while (table[at])
            at = (at + 1) & mask;
        table[at] = found[i] << 8;
    }
}

static void insert(position p)
{
    uint64_t at = place(p);
    while (table[at]) {
        if (table[at] >> 8 == p)
            return;
        at = (at + 1) & mask;
    }
    table[at] = p << 8;
    found[count++] = p;
}

static uint64_t *entry(position p)
{
    uint64_t at = place(p);
    while (table[at] >> 8 != p)
        at = (at + 1) & mask;
    return table + at;
}

/* The squares with a stone: in each column, all below the guard bit. */
static uint64_t stones(position p)
{
    p |= p >> 1 & within[0];
    p |= p >> 2 & within[1];
    p |= p >> 4 & within[2];
    return p >> 1 & squares;
}

static int four(uint64_t side)
{
    static const int steps[4] = {1, STRIDE - 1, STRIDE, STRIDE + 1};
    for (int i = 0; i < 4; i++) {
        uint64_t pairs = side & side >> steps[i];
        if (pairs & pairs >> 2 * steps[i])
            return 1;
    }
    return 0;
}

/* Writes the positions after each move; returns how many there are, -1 if the last move won. */
static int children(position p, position *into)
{
    uint64_t filled = stones(p);
    uint64_t theirs = filled & ~p;
    int made = 0;
    if (four(theirs))
        return -1;
    for (int column = 0; column < WIDTH; column++) {
        uint64_t foot = (uint64_t)1 << column * STRIDE;
        uint64_t after = filled | (filled + foot);
        if ((after & squares) != filled)
            into[made++] = theirs + (after & squares) + feet;
    }
    return made;
}

static void forward(uint64_t *layers)
{
    uint64_t at = 0;
    layers[0] = 0;
    for (int stones_on = 0; stones_on <= SQUARES; stones_on++) {
        uint64_t end = count;
        layers[stones_on + 1] = end;
        while (at < end) {
            position next[BATCH * WIDTH];
            int waiting = 0;
            for (int i = 0; i < BATCH && at < end; i++, at++) {
                int made = children(found[at], next + waiting);
                for (int j = 0; j < made; j++)
                    __builtin_prefetch(table + place(next[waiting + j]), 1);
                waiting += made > 0 ? made : 0;
            }
            if ((count + BATCH * WIDTH) * 8 > (mask + 1) * 5)
                grow(64 - shift + 1);
            for (int i = 0; i < waiting; i++)
                insert(next[i]);
        }
    }
}

static int value(const position *next, int made)
{
    int best = -100;
    if (made < 0)
        return -100;
    if (made == 0)
        return 0;
    for (int i = 0; i < made; i++) {
        int worth = 128 - (int)(*entry(next[i]) & 255);
        worth += worth < 0 ? 1 : worth > 0 ? -1 : 0;
        if (worth > best)
            best = worth;
    }
    return best;
}

static void backward(const uint64_t *layers)
{
    for (int stones_on = SQUARES; stones_on >= 0; stones_on--) {
        uint64_t at = layers[stones_on];
        while (at < layers[stones_on + 1]) {
            position next[BATCH][WIDTH];
            int made[BATCH], n = 0;
            uint64_t first = at;
            for (; n < BATCH && at < layers[stones_on + 1]; n++, at++) {
                made[n] = children(found[at], next[n]);
                __builtin_prefetch(table + place(found[at]), 1);
                for (int j = 0; j < made[n]; j++)
                    __builtin_prefetch(table + place(next[n][j]));
            }
            for (int i = 0; i < n; i++) {
                int code = 128 + value(next[i], made[i]);
                *entry(found[first + i]) |= (uint64_t)code;
                tally[code][stones_on]++;
            }
        }
    }
}

int main(int arguments, char **argument)
{
    sample_touch(arguments > 1 ? strtoull(argument[1], NULL, 10) : 0);

    uint64_t layers[SQUARES + 2];
    uint64_t plies_of[3][SQUARES + 1];

    sample_begin();
    for (int column = 0; column < WIDTH; column++) {
        feet |= (uint64_t)1 << column * STRIDE;
        for (int row = 0; row <= HEIGHT; row++) {
            uint64_t square = (uint64_t)1 << (column * STRIDE + row);
            if (row < HEIGHT)
                squares |= square;
            for (int i = 0; i < 3; i++)
                if (row + (1 << i) <= HEIGHT)
                    within[i] |= square;
        }
    }
    use_table(16);
    found = memory(sizeof *found << 33);
    insert(feet);
    forward(layers);
    backward(layers);
    sample_end();

    memset(plies_of, 0, sizeof plies_of);
    for (int code = 0; code < 256; code++)
        for (int stones_on = 0; stones_on <= SQUARES; stones_on++) {
            int won = code > 128 ? 2 : code < 128 ? 0 : 1;
            int plies = code == 128 ? SQUARES - stones_on : 100 - abs(code - 128);
            if (tally[code][stones_on])
                plies_of[won][plies] += tally[code][stones_on];
        }
    sample_print();
    printf("{");
    printf("\"positions\": %" PRIu64 ", \"tally\": {", count);
    const char *comma = "";
    for (int won = 0; won < 3; won++)
        for (int plies = 0; plies <= SQUARES; plies++)
            if (plies_of[won][plies]) {
                printf("%s\"%d:%d\": %" PRIu64, comma, won - 1, plies, plies_of[won][plies]);
                comma = ", ";
            }
    printf("}}}\n");
    return 0;
}
