/* Cat and Mouse on a graph, by retrograde analysis with a queue and counters.
 *
 * The textbook method, written for speed: one byte a placement counts the moves that do not lose
 * yet, two bytes hold the value, and the queue holds placements in order of remoteness.
 *
 * usage: pursuit FILE BYTES-TO-TOUCH
 * FILE holds 64-bit integers: n, the hole, n + 1 row ends from 0, and the neighbours. The mouse
 * has won in the hole, the cat on the mouse; the cat may not enter the hole; who has no move
 * stays. The answer: placements won by the mouse, by the cat, and a sum over all marks that a
 * different table will hardly share.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

typedef struct {
    int64_t *first;
    int32_t *to;
} Graph;

static int64_t n, hole;

static void *must(void *block) {
    if (!block) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return block;
}

/* The moves of one side: neighbours but for `closed`, or staying where there are none. */
static Graph moves(const int64_t *ends, const int64_t *near, int64_t closed) {
    Graph g = {must(malloc((n + 1) * sizeof(int64_t))),
               must(malloc((ends[n] + n) * sizeof(int32_t)))};
    int64_t made = 0;
    for (int64_t v = 0; v < n; v++) {
        g.first[v] = made;
        for (int64_t e = ends[v]; e < ends[v + 1]; e++)
            if (near[e] != closed) g.to[made++] = (int32_t)near[e];
        if (made == g.first[v]) g.to[made++] = (int32_t)v;
    }
    g.first[n] = made;
    return g;
}

static Graph reversed(Graph g) {
    Graph r = {must(calloc(n + 1, sizeof(int64_t))), must(malloc(g.first[n] * sizeof(int32_t)))};
    for (int64_t e = 0; e < g.first[n]; e++) r.first[g.to[e] + 1]++;
    for (int64_t v = 0; v < n; v++) r.first[v + 1] += r.first[v];
    int64_t *at = must(malloc(n * sizeof(int64_t)));
    memcpy(at, r.first, n * sizeof(int64_t));
    for (int64_t v = 0; v < n; v++)
        for (int64_t e = g.first[v]; e < g.first[v + 1]; e++) r.to[at[g.to[e]]++] = (int32_t)v;
    free(at);
    return r;
}

int main(int argc, char **argv) {
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    int64_t head[2];
    if (!file || fread(head, 8, 2, file) != 2) return 2;
    n = head[0];
    hole = head[1];
    int64_t *ends = must(malloc((n + 1) * 8));
    if (fread(ends, 8, n + 1, file) != (size_t)(n + 1)) return 2;
    int64_t *near = must(malloc((ends[n] + 1) * 8));
    if (fread(near, 8, ends[n], file) != (size_t)ends[n]) return 2;
    fclose(file);

    sample_touch(argc > 2 ? strtoull(argv[2], NULL, 10) : 0);
    sample_begin();
    Graph mouse = moves(ends, near, -1), cat = moves(ends, near, hole);
    Graph mouse_back = reversed(mouse), cat_back = reversed(cat);

    /* Placement (turn * n + cat) * n + mouse: a mouse's way back stays within one row. */
    int64_t half = n * n, size = 2 * half;
    int16_t *mark = must(calloc(size, sizeof(int16_t)));
    uint16_t *left = must(malloc(size * sizeof(uint16_t)));
    uint32_t *queue = must(malloc(size * sizeof(uint32_t)));
    int64_t tail = 0;
    for (int64_t turn = 0; turn < 2; turn++)
        for (int64_t c = 0; c < n; c++) {
            if (c == hole) continue;
            for (int64_t m = 0; m < n; m++) {
                int64_t i = (turn * n + c) * n + m;
                if (m == hole || m == c) {
                    mark[i] = (m == hole) == (turn == 0) ? 1 : -1;
                    queue[tail++] = (uint32_t)i;
                } else {
                    const int64_t *f = turn == 0 ? mouse.first + m : cat.first + c;
                    left[i] = (uint16_t)(f[1] - f[0]);
                }
            }
        }
    for (int64_t at = 0; at < tail; at++) {
        int64_t i = queue[at], turn = i / half, c = i % half / n, m = i % n;
        int16_t value = mark[i], next = (int16_t)((value < 0 ? -value : value) + 1);
        const Graph *back = turn == 0 ? &cat_back : &mouse_back;
        int64_t node = turn == 0 ? c : m;
        for (int64_t e = back->first[node]; e < back->first[node + 1]; e++) {
            int64_t from = back->to[e];
            if (turn == 0 && from == hole) continue;
            int64_t j = turn == 0 ? half + from * n + m : c * n + from;
            if (mark[j]) continue;
            if (value < 0) {
                mark[j] = next;
            } else {
                if (--left[j]) continue;
                mark[j] = (int16_t)-next;
            }
            queue[tail++] = (uint32_t)j;
        }
    }
    sample_end();

    int64_t by_mouse = 0, by_cat = 0;
    uint64_t sum = 0;
    for (int64_t turn = 0; turn < 2; turn++)
        for (int64_t c = 0; c < n; c++)
            for (int64_t m = 0; m < n; m++) {
                int64_t i = (turn * n + c) * n + m;
                if (!mark[i]) continue;
                if ((mark[i] > 0) == (turn == 0)) by_mouse++;
                else by_cat++;
                sum += (uint64_t)(int64_t)mark[i] * ((uint64_t)i * 2654435761u + 1);
            }
    sample_print();
    printf("{\"positions\": %lld, \"evader\": %lld, \"pursuers\": %lld, \"sum\": \"%llu\"}}\n",
           (long long)(2 * n * (n - 1)), (long long)by_mouse, (long long)by_cat,
           (unsigned long long)sum);
    return 0;
}
