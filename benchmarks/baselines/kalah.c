/* Kalah by depth-first search with a memory of all ways to lay up to so many seeds out in the pits.
 *
 *   cc -O3 -march=native -o kalah kalah.c && ./kalah PITS SEEDS EMPTY_CAPTURE [BYTES]
 *
 * A position is the pits of the player to move and the other player's: its value is the same
 * whoever that is, so players are not told apart. Its place in the memory is its rank among all
 * ways to lay out as many seeds or fewer. Tells the margin for the first player, and how many
 * positions were searched. BYTES is a number of bytes to touch and give back before the clock
 * starts, so that the system has them at hand.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

enum { MOST_PITS = 12, MOST_SEEDS = 96, UNKNOWN = -128 };

static int pits, seeds, empty_capture;
static int64_t choose[MOST_SEEDS + 2 * MOST_PITS + 2][2 * MOST_PITS + 2];
static int8_t *memory;
static int64_t positions;

/* Rank: fewer seeds first, then by how many the places from the first on have. */
static int64_t rank_of(const int *place)
{
    int64_t rank = 0;
    int sum = 0;
    for (int i = 0; i < 2 * pits; i++) {
        sum += place[i];
        rank += choose[sum + i][i + 1];
    }
    return rank;
}

static int solve(const int *place)
{
    int8_t *known = &memory[rank_of(place)];
    if (*known != UNKNOWN)
        return *known;
    positions++;
    int mine = 0, theirs = 0, best = UNKNOWN;
    for (int i = 0; i < pits; i++) {
        mine += place[i];
        theirs += place[pits + i];
    }
    if (!mine || !theirs)
        return *known = (int8_t)(mine - theirs);
    for (int from = 0; from < pits; from++) {
        if (!place[from])
            continue;
        int ring[2 * MOST_PITS + 1], next[2 * MOST_PITS], at = from;
        memcpy(ring, place, pits * sizeof(int));
        ring[pits] = 0;
        memcpy(ring + pits + 1, place + pits, pits * sizeof(int));
        int hand = ring[from];
        ring[from] = 0;
        while (hand--) {
            at = at == 2 * pits ? 0 : at + 1;
            ring[at]++;
        }
        int opposite = 2 * pits - at, worth;
        if (at < pits && ring[at] == 1 && (ring[opposite] || empty_capture)) {
            ring[pits] += 1 + ring[opposite];
            ring[at] = ring[opposite] = 0;
        }
        int first = at == pits ? 0 : pits + 1, second = at == pits ? pits + 1 : 0;
        memcpy(next, ring + first, pits * sizeof(int));
        memcpy(next + pits, ring + second, pits * sizeof(int));
        worth = solve(next);
        worth = ring[pits] + (at == pits ? worth : -worth);
        if (worth > best)
            best = worth;
    }
    return *known = (int8_t)best;
}

int main(int count, char **given)
{
    if (count < 4) {
        fprintf(stderr, "usage: kalah PITS SEEDS EMPTY_CAPTURE [BYTES]\n");
        return 2;
    }
    pits = atoi(given[1]);
    seeds = atoi(given[2]);
    empty_capture = atoi(given[3]);
    int all = 2 * pits * seeds;
    if (pits < 1 || pits > MOST_PITS || seeds < 1 || all > MOST_SEEDS) {
        fprintf(stderr, "the board is too large\n");
        return 2;
    }
    sample_touch(count > 4 ? strtoull(given[4], NULL, 10) : 0);
    sample_begin();
    for (int n = 0; n <= all + 2 * pits; n++)
        for (int k = 0; k <= 2 * pits; k++)
            choose[n][k] = !k ? 1 : !n ? 0 : choose[n - 1][k - 1] + choose[n - 1][k];
    size_t size = choose[all + 2 * pits][2 * pits];
    memory = malloc(size);
    if (!memory) {
        fprintf(stderr, "no memory for %zu bytes\n", size);
        return 3;
    }
    memset(memory, UNKNOWN, size);
    int place[2 * MOST_PITS];
    for (int i = 0; i < 2 * pits; i++)
        place[i] = seeds;
    int margin = solve(place);
    sample_end();
    sample_print();
    printf("{\"margin\": %d, \"boards\": %lld}}\n", margin, (long long)positions);
    return 0;
}
