/* Cops and Robbers on many connected graphs of up to 16 nodes: cop numbers and capture times.
 *
 * For every team of cops a set: the robber's nodes from which the cops, who are to move, win within
 * so many rounds. A set of up to 8 nodes is a byte, of up to 16 two bytes, and the sets of all teams
 * lie in vectors, one lane for each team. In a round the robber's side takes a few instructions for
 * each node and vector, and a cop's side a few for each pair of nodes. Two cops are alike, so that
 * the second cop's moves are the first's in the transposed table.
 *
 * usage: cops FILE BYTES-TO-TOUCH      (graph6, one graph a line, all with as many nodes)
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

enum { WIDE = 16 };
typedef uint8_t Bytes __attribute__((vector_size(64), aligned(64)));    /* 8 rows of 8 teams */
typedef uint64_t Rows __attribute__((vector_size(64), aligned(64)));    /* the same by rows */
typedef uint16_t Row __attribute__((vector_size(32), aligned(32)));     /* 16 teams */

static int n;
static unsigned near[WIDE]; /* each node with its neighbours */

static int one_of_eight(void) {
    uint64_t ones = 0x0101010101010101u, spread[8], on = 0;
    uint8_t full = (uint8_t)((1u << n) - 1);
    for (int v = 0; v < n; v++) {
        spread[v] = 0;
        for (int u = 0; u < n; u++) spread[v] |= (uint64_t)(near[v] >> u & 1) << 8 * u;
        on |= 1ull << (8 * v + v);
    }
    uint64_t all = full * ones, won = on;
    for (int rounds = 1;; rounds++) {
        uint64_t open = ~won, reach = 0, moved = 0;
        for (int v = 0; v < n; v++) reach |= (open >> v & ones) * near[v];
        uint64_t lost = on | (all & ~reach);
        for (int v = 0; v < n; v++) moved |= (lost >> 8 * v & 255) * spread[v];
        /* Rows of nodes that are not there stay 0. */
        uint64_t rest = moved ^ all;
        for (int v = 0; v < n; v++)
            if (!(rest >> 8 * v & 255)) return rounds;
        if (moved == won) return -1;
        won = moved;
    }
}

static int two_of_eight(void) {
    static const Bytes turned = {0, 8,  16, 24, 32, 40, 48, 56, 1, 9,  17, 25, 33, 41, 49, 57,
                                 2, 10, 18, 26, 34, 42, 50, 58, 3, 11, 19, 27, 35, 43, 51, 59,
                                 4, 12, 20, 28, 36, 44, 52, 60, 5, 13, 21, 29, 37, 45, 53, 61,
                                 6, 14, 22, 30, 38, 46, 54, 62, 7, 15, 23, 31, 39, 47, 55, 63};
    static const Rows bit = {1, 2, 4, 8, 16, 32, 64, 128};
    uint64_t ones = 0x0101010101010101u, diagonal = 0;
    Bytes on, beside, full = (Bytes){0} + (uint8_t)((1u << n) - 1);
    Rows mask[8], first;
    for (int v = 0; v < n; v++) {
        mask[v] = (Rows)((bit & near[v]) != 0);
        diagonal |= 1ull << (8 * v + v);
    }
    uint64_t valid = ~0ull >> (64 - 8 * n); /* the teams of a row */
    first = bit * ones;                     /* row a: the bit of a in each byte */
    beside = (Bytes)((Rows){0} + diagonal); /* byte b: the bit of b */
    on = (Bytes)first | beside;
    for (int a = 0; a < 8; a++) ((Rows *)&on)[0][a] &= a < n ? valid : 0;
    Bytes won = on;
    for (int rounds = 1;; rounds++) {
        Bytes lost = on;
        for (int v = 0; v < n; v++) {
            Bytes around = (Bytes){0} + (uint8_t)near[v];
            lost |= (Bytes)((won & around) == around) & (uint8_t)(1u << v);
        }
        Rows some = (Rows)lost, moved = {0};
        for (int v = 0; v < n; v++) moved |= mask[v] & some[v];
        some = (Rows)__builtin_shuffle((Bytes)moved, turned);
        moved = (Rows){0};
        for (int v = 0; v < n; v++) moved |= mask[v] & some[v];
        Bytes is_full = (Bytes)((Bytes)moved == full);
        Rows found = (Rows)is_full, differ = moved ^ (Rows)won;
        uint64_t any = 0, changed = 0;
        for (int v = 0; v < 8; v++) any |= found[v], changed |= differ[v];
        if (any) return rounds;
        if (!changed) return -1;
        won = (Bytes)moved;
    }
}

static Row lanes(unsigned set) { /* all ones in the lanes of a set */
    static const Row bit = {1,      2,      4,      8,      16,     32,     64,     128,
                            0x100,  0x200,  0x400,  0x800,  0x1000, 0x2000, 0x4000, 0x8000};
    return (Row)((bit & (uint16_t)set) != 0);
}

static int any(Row row) {
    uint64_t words[4];
    memcpy(words, &row, 32);
    return (words[0] | words[1] | words[2] | words[3]) != 0;
}

static Row lost_in(Row won, Row on) {
    for (int v = 0; v < n; v++) {
        Row around = (Row){0} + (uint16_t)near[v];
        on |= (Row)((won & around) == around) & (uint16_t)(1u << v);
    }
    return on;
}

static int one_of_sixteen(void) {
    static const Row bit = {1,      2,      4,      8,      16,     32,     64,     128,
                            0x100,  0x200,  0x400,  0x800,  0x1000, 0x2000, 0x4000, 0x8000};
    uint16_t full = (uint16_t)((1u << n) - 1);
    Row on = bit & lanes(full), won = on, mask[WIDE];
    for (int v = 0; v < n; v++) mask[v] = lanes(near[v]);
    for (int rounds = 1;; rounds++) {
        Row lost = lost_in(won, on), moved = {0};
        for (int v = 0; v < n; v++) moved |= mask[v] & lost[v];
        if (any((Row)(moved == full))) return rounds;
        if (!any(moved ^ won)) return -1;
        won = moved;
    }
}

static void turn(const Row *from, Row *to) {
    const uint16_t *source = (const uint16_t *)from;
    uint16_t *target = (uint16_t *)to;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) target[b * WIDE + a] = source[a * WIDE + b];
}

static void moved_first(const Row *lost, Row *moved) {
    for (int a = 0; a < n; a++) {
        Row some = {0};
        for (unsigned to = near[a]; to; to &= to - 1) some |= lost[__builtin_ctz(to)];
        moved[a] = some;
    }
}

static int two_of_sixteen(void) {
    static const Row bit = {1,      2,      4,      8,      16,     32,     64,     128,
                            0x100,  0x200,  0x400,  0x800,  0x1000, 0x2000, 0x4000, 0x8000};
    uint16_t full = (uint16_t)((1u << n) - 1);
    Row there = lanes(full), won[WIDE], lost[WIDE], moved[WIDE] = {0}, turned[WIDE] = {0};
    for (int a = 0; a < n; a++) won[a] = (bit | (uint16_t)(1u << a)) & there;
    for (int rounds = 1;; rounds++) {
        for (int a = 0; a < n; a++)
            lost[a] = lost_in(won[a], (bit | (uint16_t)(1u << a)) & there);
        moved_first(lost, moved);
        turn(moved, turned);
        moved_first(turned, moved);
        Row found = {0}, changed = {0};
        for (int a = 0; a < n; a++) {
            found |= (Row)(moved[a] == full);
            changed |= moved[a] ^ won[a];
            won[a] = moved[a];
        }
        if (any(found)) return rounds;
        if (!any(changed)) return -1;
    }
}

/* Three cops are rarely needed below eleven nodes: no vectors. */
static int three(void) {
    static uint16_t won[4096], lost[4096], moved[4096], on[4096];
    uint16_t full = (uint16_t)((1u << n) - 1);
    int teams = n * n * n;
    for (int t = 0; t < teams; t++)
        won[t] = on[t] = (uint16_t)(1u << t % n | 1u << t / n % n | 1u << t / n / n);
    for (int rounds = 1;; rounds++) {
        for (int t = 0; t < teams; t++) {
            lost[t] = on[t];
            for (int v = 0; v < n; v++)
                if ((won[t] & near[v]) == near[v]) lost[t] |= (uint16_t)(1u << v);
        }
        for (int stride = 1; stride < teams; stride *= n) {
            for (int t = 0; t < teams; t++) {
                int at = t / stride % n, base = t - at * stride;
                uint16_t some = 0;
                for (unsigned to = near[at]; to; to &= to - 1)
                    some |= lost[base + __builtin_ctz(to) * stride];
                moved[t] = some;
            }
            memcpy(lost, moved, sizeof lost);
        }
        int changed = 0;
        for (int t = 0; t < teams; t++) {
            if (lost[t] == full) return rounds;
            changed |= lost[t] != won[t];
            won[t] = lost[t];
        }
        if (!changed) return -1;
    }
}

/* Read a line; return what follows it. */
static const uint8_t *read_graph(const uint8_t *text) {
    static uint8_t turned[64];
    if (!turned[1])
        for (int d = 0; d < 64; d++)
            for (int b = 0; b < 6; b++) turned[d] |= (uint8_t)((d >> b & 1) << (5 - b));
    n = *text++ - 63;
    if (n < 1 || n > WIDE) exit(2);
    unsigned __int128 bits = 0;
    int digits = (n * (n - 1) / 2 + 5) / 6;
    for (int i = 0; i < digits; i++) bits |= (unsigned __int128)turned[(*text++ - 63) & 63] << 6 * i;
    for (int v = 0; v < n; v++) {
        unsigned column = (unsigned)bits & ((1u << v) - 1);
        bits >>= v;
        near[v] = column | 1u << v;
        for (int u = 0; u < v; u++) near[u] |= (column >> u & 1) << v;
    }
    while (*text++ != '\n') {}
    return text;
}

int main(int argc, char **argv) {
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (!file) return 2;
    sample_touch(argc > 2 ? strtoull(argv[2], NULL, 10) : 0);
    sample_begin();
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    uint8_t *text = malloc(size + 1);
    if (!text || fread(text, 1, size, file) != size) return 2;
    size_t graphs = 0;
    int8_t *number = malloc(size);
    int16_t *time = malloc(size * sizeof(int16_t));
    for (const uint8_t *at = text; at < text + size;) {
        at = read_graph(at);
        int cops = 1, rounds = n == 1 ? 0 : n <= 8 ? one_of_eight() : one_of_sixteen();
        if (rounds < 0) cops = 2, rounds = n <= 8 ? two_of_eight() : two_of_sixteen();
        if (rounds < 0) cops = 3, rounds = three();
        number[graphs] = (int8_t)(rounds < 0 ? -1 : cops);
        time[graphs++] = (int16_t)rounds;
    }
    sample_end();
    size_t counts[5] = {0};
    uint64_t sum = 0;
    for (size_t i = 0; i < graphs; i++) {
        counts[number[i] + 1]++;
        sum += (uint64_t)(64 * number[i] + time[i]) * (2654435761u * (uint64_t)i + 1);
    }
    sample_print();
    printf("{\"graphs\": %zu, \"cops\": [%zu, %zu, %zu, %zu], \"sum\": \"%llu\"}}\n", graphs, counts[2],
           counts[3], counts[4], counts[0], (unsigned long long)sum);
    return 0;
}
