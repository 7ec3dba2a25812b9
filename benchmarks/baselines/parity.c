/* The winner of each vertex of a parity game, random or read from a file: what a C program takes.

   cc -O3 -march=native -o parity parity.c && ./parity VERTICES PRIORITIES LEAST MOST SEED
   ./parity FILE.gm

   A file has its vertices in ascending order from 0, without names; reading it is measured, too.
   The algorithm is Zielonka's ("Infinite games on finitely coloured graphs", Theoretical Computer
   Science 200, 1998), with counters of open moves in attractors. A vertex where a player wins by
   staying there is decided first. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

static uint32_t n, *first, *edges, *into, *parents, *queue;
static int32_t *degree, *inside;
static uint8_t *owner;
static int8_t *winner;
static int16_t *priority;
static int32_t games;

static uint64_t mixed(uint64_t x) {
  x *= 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

/* The game of benchmarks/inputs.py: from `least` to `most` moves, owners and priorities at random. */
static void generate(uint64_t seed, uint32_t priorities, uint32_t least, uint32_t most) {
  first = calloc((size_t)n + 1, 4);
  owner = malloc(n);
  priority = malloc(2 * (size_t)n);
  for (uint64_t v = 0; v < n; v++) {
    uint64_t z = mixed((3 * seed << 40) + v + 1), y = mixed((3 * seed + 1 << 40) + v + 1);
    first[v + 1] = first[v] + least + (uint32_t)((z >> 32) * (most - least + 1) >> 32);
    owner[v] = y & 1;
    priority[v] = (int16_t)((y >> 32) * priorities >> 32);
  }
  edges = malloc(4 * (size_t)first[n]);
  for (uint64_t e = 0; e < first[n]; e++)
    edges[e] = (uint32_t)((mixed((3 * seed + 2 << 40) + e + 1) >> 32) * n >> 32);
}

/* The next number of a text, after anything else. */
static uint32_t number(const char **at) {
  const char *p = *at;
  uint32_t found = 0;
  while (*p < '0' || *p > '9') p++;
  for (; *p >= '0' && *p <= '9'; p++) found = 10 * found + (uint32_t)(*p - '0');
  *at = p;
  return found;
}

static int load(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return 0;
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  char *text = malloc(size + 1);
  size = fread(text, 1, size, file);
  fclose(file);
  while (size && text[size - 1] != ';') size--;
  text[size] = 0;
  const char *at = text;
  first = malloc(4 * (size / 8 + 2));
  owner = malloc(size / 8 + 1);
  priority = malloc(2 * (size / 8 + 1));
  edges = malloc(4 * (size / 2 + 1));
  if (!strncmp(at, "parity", 6)) at = strchr(at, ';') + 1;
  uint32_t count = 0;
  for (first[0] = 0; *at; n++) {
    number(&at);
    priority[n] = (int16_t)number(&at);
    owner[n] = (uint8_t)number(&at);
    do edges[count++] = number(&at);
    while (*at == ',');
    first[n + 1] = count;
    at++;
  }
  free(text);
  return 1;
}

static void reverse(void) {
  into = calloc((size_t)n + 2, 4);
  parents = malloc(4 * (size_t)first[n]);
  for (uint64_t e = 0; e < first[n]; e++) into[edges[e] + 2]++;
  for (uint32_t v = 0; v < n; v++) into[v + 2] += into[v + 1];
  for (uint32_t v = 0; v < n; v++)
    for (uint32_t e = first[v]; e < first[v + 1]; e++) parents[into[edges[e] + 1]++] = v;
}

/* Moves vertices of game `from` to game `to` from which a player can force play to the first
   `size` vertices of the queue, which are moved already. Returns the size of the queue. */
static uint32_t attract(int32_t from, int32_t to, int player, uint32_t size) {
  for (uint32_t at = 0; at < size; at++) {
    uint32_t v = queue[at];
    for (uint32_t i = into[v]; i < into[v + 1]; i++) {
      uint32_t u = parents[i];
      if (inside[u] != from) continue;
      if (owner[u] != player) {
        if (degree[u] == 0)
          for (uint32_t e = first[u]; e < first[u + 1]; e++)
            degree[u] += inside[edges[e]] == from || inside[edges[e]] == to;
        if (--degree[u]) continue;
      }
      inside[u] = to;
      queue[size++] = u;
    }
  }
  return size;
}

static void forget_degrees(const uint32_t *vertices, uint32_t size) {
  for (uint32_t i = 0; i < size; i++) degree[vertices[i]] = 0;
}

/* Decides the vertices of a game, all of which have `inside` equal to `game`. */
static void solve(const uint32_t *given, uint32_t size, int32_t game) {
  uint32_t *vertices = malloc(4 * (size_t)size + 4);
  memcpy(vertices, given, 4 * (size_t)size);
  while (size) {
    int greatest = -1;
    for (uint32_t i = 0; i < size; i++)
      if (priority[vertices[i]] > greatest) greatest = priority[vertices[i]];
    int player = greatest & 1;
    int32_t attracted = ++games, rest = ++games;
    uint32_t count = 0, left = 0;
    forget_degrees(vertices, size);
    for (uint32_t i = 0; i < size; i++)
      if (priority[vertices[i]] == greatest) {
        inside[vertices[i]] = attracted;
        queue[count++] = vertices[i];
      }
    attract(game, attracted, player, count);
    uint32_t *others = malloc(4 * (size_t)size + 4);
    for (uint32_t i = 0; i < size; i++)
      if (inside[vertices[i]] == game) others[left++] = vertices[i];
    for (uint32_t i = 0; i < left; i++) inside[others[i]] = rest;
    solve(others, left, rest);
    for (uint32_t i = 0; i < size; i++) inside[vertices[i]] = game;
    int32_t lost = ++games;
    count = 0;
    for (uint32_t i = 0; i < left; i++)
      if (winner[others[i]] != player) {
        inside[others[i]] = lost;
        queue[count++] = others[i];
      }
    free(others);
    if (!count) {
      for (uint32_t i = 0; i < size; i++) winner[vertices[i]] = (int8_t)player;
      break;
    }
    forget_degrees(vertices, size);
    count = attract(game, lost, 1 - player, count);
    left = 0;
    for (uint32_t i = 0; i < size; i++) {
      if (inside[vertices[i]] == game) vertices[left++] = vertices[i];
      else winner[vertices[i]] = (int8_t)(1 - player);
    }
    size = left;
  }
  free(vertices);
}

int main(int count, char **words) {
  if (count == 2) {
    sample_begin();
    if (!load(words[1])) return 2;
  } else {
    if (count < 6) return 2;
    n = (uint32_t)strtod(words[1], 0);
    generate(strtoull(words[5], 0, 10), (uint32_t)atoi(words[2]), (uint32_t)atoi(words[3]),
             (uint32_t)atoi(words[4]));
    sample_touch(10 * (size_t)first[n] + 30 * (size_t)n);
    sample_begin();
  }
  reverse();
  queue = malloc(4 * (size_t)n);
  degree = calloc(n, 4);
  inside = calloc(n, 4);
  winner = malloc(n);
  uint32_t *vertices = malloc(4 * (size_t)n), size = 0;
  for (int player = 0; player < 2; player++) {
    uint32_t seeds = 0;
    for (uint32_t v = 0; v < n; v++)
      for (uint32_t e = first[v]; e < first[v + 1]; e++)
        if (edges[e] == v && owner[v] == player && (priority[v] & 1) == player && !inside[v]) {
          inside[v] = -1 - player;
          queue[seeds++] = v;
        }
    for (uint32_t v = 0; v < n; v++) degree[v] = 0;
    attract(0, -1 - player, player, seeds);
  }
  for (uint32_t v = 0; v < n; v++) {
    winner[v] = (int8_t)(inside[v] == -1 ? 0 : inside[v] == -2 ? 1 : -1);
    if (!inside[v]) vertices[size++] = v;
  }
  solve(vertices, size, 0);
  sample_end();
  uint64_t won = 0;
  for (uint32_t v = 0; v < n; v++) won += winner[v] == 0;
  sample_print();
  printf("{\"edges\": %u, \"won\": %lu}}\n", first[n], won);
  return 0;
}
