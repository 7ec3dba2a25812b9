/* All connected graphs with a few nodes, one of each class of isomorphic ones, in graph6.
 *
 * usage: all_graphs NODES FILE        (up to 10 nodes; 9 take some seconds)
 *
 * A graph is one with a node less and a further node with as many neighbours as any. Two graphs are
 * the same if their names are: the least number that the adjacency matrix gives over all orders of
 * the nodes by colour, where a node's colour comes of its neighbours' colours, and one node of a
 * colour is told from the others where that is no help.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 10 };
typedef struct {
    uint16_t row[MOST];
} Graph;

static int n;

static uint64_t mixed(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Replace colours by ranks, equal where no node's neighbours tell it from another's. */
static int refine(const Graph *g, int *colour) {
    int classes = 0;
    for (int v = 0; v < n; v++)
        if (colour[v] >= classes) classes = colour[v] + 1;
    for (;;) {
        uint64_t sign[MOST];
        for (int v = 0; v < n; v++) {
            uint64_t sum = 0;
            for (unsigned near = g->row[v]; near; near &= near - 1)
                sum += mixed((uint64_t)colour[__builtin_ctz(near)] + 1);
            /* The old colour first, so that classes are only ever split. */
            sign[v] = (uint64_t)colour[v] << 56 | mixed(sum) >> 8;
        }
        int order[MOST];
        for (int v = 0; v < n; v++) {
            int i = v;
            for (; i && sign[order[i - 1]] > sign[v]; i--) order[i] = order[i - 1];
            order[i] = v;
        }
        int rank = 0;
        for (int i = 0; i < n; i++) {
            rank += i && sign[order[i]] != sign[order[i - 1]];
            colour[order[i]] = rank;
        }
        if (rank + 1 == classes) return classes;
        classes = rank + 1;
    }
}

static uint64_t least;

static void search(const Graph *g, const int *colour, int classes) {
    if (classes == n) {
        int at[MOST];
        for (int v = 0; v < n; v++) at[colour[v]] = v;
        uint64_t number = 0;
        for (int i = 1; i < n; i++)
            for (int j = 0; j < i; j++) number = number << 1 | (g->row[at[i]] >> at[j] & 1);
        if (number < least) least = number;
        return;
    }
    int count[MOST] = {0}, cell = 0, first = -1, twins = 1;
    for (int v = 0; v < n; v++) count[colour[v]]++;
    while (count[cell] < 2) cell++;
    for (int v = 0; v < n; v++)
        if (colour[v] == cell) {
            if (first < 0) first = v;
            unsigned pair = 1u << v | 1u << first;
            twins &= (g->row[v] | pair) == (g->row[first] | pair);
        }
    for (int v = first; v < n; v++)
        if (colour[v] == cell) {
            int split[MOST];
            for (int w = 0; w < n; w++) split[w] = colour[w] + (colour[w] > cell || (colour[w] == cell && w != v));
            search(g, split, refine(g, split));
            if (twins) return;
        }
}

static uint64_t name(const Graph *g) {
    int colour[MOST] = {0};
    least = ~0ull;
    search(g, colour, refine(g, colour));
    return least;
}

int main(int argc, char **argv) {
    int nodes = argc > 2 ? atoi(argv[1]) : 0;
    FILE *file = nodes > 0 && nodes <= MOST ? fopen(argv[2], "wb") : NULL;
    if (!file) return 2;
    size_t few = 1;
    Graph *graphs = calloc(1, sizeof(Graph));
    for (n = 2; n <= nodes; n++) {
        size_t many = 0, room = 1024, slots = 4096;
        Graph *grown = malloc(room * sizeof(Graph));
        uint64_t *seen = calloc(slots, sizeof(uint64_t)); /* names + 1 */
        for (size_t i = 0; i < few; i++) {
            int largest = 0;
            for (int v = 0; v < n - 1; v++)
                if (__builtin_popcount(graphs[i].row[v]) > largest)
                    largest = __builtin_popcount(graphs[i].row[v]);
            for (unsigned near = 0; near < 1u << (n - 1); near++) {
                int size = __builtin_popcount(near), fits = size >= largest;
                Graph g = graphs[i];
                for (int v = 0; fits && v < n - 1; v++) {
                    g.row[v] |= (near >> v & 1) << (n - 1);
                    fits = __builtin_popcount(g.row[v]) <= size;
                }
                if (!fits) continue;
                g.row[n - 1] = near;
                uint64_t key = name(&g) + 1;
                size_t at = mixed(key) & (slots - 1);
                while (seen[at] && seen[at] != key) at = (at + 1) & (slots - 1);
                if (seen[at]) continue;
                seen[at] = key;
                if (many == room) grown = realloc(grown, (room *= 2) * sizeof(Graph));
                grown[many++] = g;
                if (2 * many > slots) {
                    uint64_t *wider = calloc(4 * slots, sizeof(uint64_t));
                    for (size_t j = 0; j < slots; j++)
                        if (seen[j]) {
                            size_t to = mixed(seen[j]) & (4 * slots - 1);
                            while (wider[to]) to = (to + 1) & (4 * slots - 1);
                            wider[to] = seen[j];
                        }
                    free(seen);
                    seen = wider;
                    slots *= 4;
                }
            }
        }
        free(graphs);
        free(seen);
        graphs = grown;
        few = many;
    }
    n = nodes;
    size_t written = 0;
    for (size_t i = 0; i < few; i++) {
        const Graph *g = &graphs[i];
        unsigned part = 1, before = 0;
        while (part != before) {
            before = part;
            for (int v = 0; v < n; v++)
                if (before >> v & 1) part |= g->row[v];
        }
        if (part != (1u << n) - 1) continue;
        char line[16], *end = line;
        *end++ = (char)(63 + n);
        int bits = 0, digit = 0;
        for (int v = 1; v < n; v++)
            for (int w = 0; w < v; w++) {
                digit = digit << 1 | (g->row[v] >> w & 1);
                if (++bits % 6 == 0) *end++ = (char)(63 + digit), digit = 0;
            }
        if (bits % 6) *end++ = (char)(63 + (digit << (6 - bits % 6)));
        *end++ = '\n';
        fwrite(line, 1, (size_t)(end - line), file);
        written++;
    }
    printf("%zu\n", written);
    return fclose(file) != 0;
}
