/* Reads portable tables of Zermelo: the value of every position of a solved game.

       #include "zermelo_reader.c"                       link with -lzstd
       struct zermelo_table *table = zermelo_open("tic-tac-toe.table");
       int64_t start[] = {0, 0};                         the numbers of a position, as "fields" has them
       struct zermelo_value value;                       for the player to move
       if (table && zermelo_probe(table, start, &value) == 1) printf("%d\n", value.outcome);
       zermelo_close(table);

   `zermelo export GAME --portable FILE` writes them. A table does not say which moves there are. All
   of it is read into memory, and all checksums are compared. The machine has to be little-endian. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define ZERMELO_NONE INT64_MIN /* for what a kind of value does not have, such as a score */
struct zermelo_value {
    int outcome;                                 /* 1 a win, 0 a draw, -1 a loss */
    int64_t remoteness, score, nimber, infinity; /* infinity: its set has n where bit n is 1 */
};
struct zermelo_table {
    char *data, *header, *kind;                                        /* the file, its JSON, the kind of value */
    int64_t words, positions, symmetries, turns, width, span;          /* width: bytes of a value */
    int64_t fields, chunks, *field, *chunk, *palette;                  /* lists, and how long they are */
    uint64_t mask[16], by[16], varying[16], *first, *numbers, *images; /* of words the highest first */
    uint32_t *entries; /* of blocks: their bytes in the file, the bytes that they hold, and their CRC-32 */
    uint8_t *values, *steps;
};
const char *zermelo_error = ""; /* why zermelo_open returned NULL, or zermelo_probe -1 */

/* JSON: what is behind a key, a number (past which it goes), and the numbers behind each key in a list. */
static char *zt_of(char *p, const char *key) { return (p = strstr(p, key)) ? p + strlen(key) : NULL; }
static int64_t zt_number(char **p) { return strtoll(*p += strcspn(*p, "-0123456789"), p, 10); }
static int64_t zt_value(char *p, const char *key) { return p = zt_of(p, key), zt_number(&p); }
static int64_t zt_list(char *p, const char *end, const char *key, int64_t each, int64_t **out) {
    int64_t count = 0;
    for (; (p = zt_of(p, key)) && p < end; count++) {
        *out = realloc(*out, 8 * each * (count + 1));
        for (int64_t n = 0; n < each; n++) (*out)[each * count + n] = zt_number(&p);
    }
    return count;
}
/* Whether bytes have a checksum: BLAKE2b (RFC 7693) with 16 bytes, as hexadecimal digits. */
static int zt_right(const char *bytes, int64_t size, const char *digits) {
    static const uint64_t iv[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
                                   0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
    static const char *order = "0123456789abcdefea489fd61c02b753b8c052fdae3671947931dcbe265a40f8905724afe1bc683d"
                               "2c6a0b834d75fe19c51fed4a0763928bdb7ec13950f4862a6fe9b308c2d714a5a2847615fb9e3cd0";
    uint64_t h[8] = {0x01010010}, v[16], m[16];
    char found[33];
    for (int i = 0; i < 8; i++) h[i] ^= iv[i];
    for (int64_t at = 0; at == 0 || at < size; at += 128) {
        memcpy(memset(m, 0, 128), bytes + at, size - at < 128 ? size - at : 128);
        memcpy(v, h, 64), memcpy(v + 8, iv, 64);
        v[12] ^= size - at < 128 ? size : at + 128;
        v[14] ^= size - at <= 128 ? -1ULL : 0;
        for (int step = 0; step < 192; step++) {
            int i = step / 2 % 8, turn = i / 4, r = step % 2 ? 16 : 32, s = step % 2 ? 63 : 24;
            int a = i % 4, b = 4 + (i + turn) % 4, c = 8 + (i + 2 * turn) % 4, d = 12 + (i + 3 * turn) % 4;
            v[a] += v[b] + m[order[step % 160] - (order[step % 160] > '9' ? 'a' - 10 : '0')];
            v[d] = (v[d] ^ v[a]) >> r | (v[d] ^ v[a]) << (64 - r);
            v[c] += v[d], v[b] = (v[b] ^ v[c]) >> s | (v[b] ^ v[c]) << (64 - s);
        }
        for (int i = 0; i < 8; i++) h[i] ^= v[i] ^ v[i + 8];
    }
    for (int i = 0; i < 16; i++) sprintf(found + 2 * i, "%02x", ((uint8_t *)h)[i]);
    return !memcmp(found, digits, 32);
}

/* All of an array, decompressed, or NULL where it is damaged. */
static void *zt_array(struct zermelo_table *t, const char *name) {
    char *array = zt_of(t->header, name), *from = t->header + strtol(t->data + 19, NULL, 10), *all;
    int64_t first = zt_value(array, "\"first\": "), end = first + zt_value(array, "\"blocks\": "), size = 8, at = 0;
    for (int64_t n = 0; n < first; n++) from += t->entries[3 * n];
    for (int64_t n = first; n < end; n++) size += t->entries[3 * n + 1];
    all = malloc(size);
    for (const uint32_t *each = t->entries + 3 * first; each < t->entries + 3 * end; each += 3) {
        uint32_t crc = -1;
        for (const char *byte = from; byte < from + each[0]; byte++) {
            crc ^= (uint8_t)*byte;
            for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (0xedb88320 & -(crc & 1));
        }
        if (~crc != each[2] || ZSTD_decompress(all + at, each[1], from, each[0]) != each[1]) return free(all), NULL;
        at += each[1], from += each[0];
    }
    return all;
}

/* Move the bits of a position together that vary: its number. */
static void zt_gather(const struct zermelo_table *t, uint64_t *position) {
    uint64_t number[16] = {0};
    for (int64_t from = 0, to = 0, top = t->words - 1; from < 64 * t->words; from++)
        if (t->varying[top - from / 64] >> from % 64 & 1)
            number[top - to / 64] |= (position[top - from / 64] >> from % 64 & 1) << to % 64, to++;
    memcpy(position, number, 8 * t->words);
}
static int zt_order(const uint64_t *a, const uint64_t *b, int64_t words) {
    for (; --words && *a == *b; a++) b++;
    return (*a > *b) - (*a < *b);
}
void zermelo_close(struct zermelo_table *t) {
    if (t) free(t->data), free(t->entries), free(t->field), free(t->chunk), free(t->palette), free(t->first);
    if (t) free(t->numbers), free(t->images), free(t->values), free(t->steps), free(t);
}

struct zermelo_table *zermelo_open(const char *path) {
#define ZT_CHECK(right, why) if (!(right)) return zermelo_error = why, zermelo_close(t), NULL
    struct zermelo_table *t = calloc(1, sizeof *t);
    FILE *file = fopen(path, "rb");
    ZT_CHECK(file && !fseek(file, 0, SEEK_END), "the table cannot be opened");
    int64_t size = ftell(file), head, at, from = 0, carry;
    rewind(file);
    size = fread(t->data = calloc(size + 64, 1), 1, size, file);
    fclose(file);
    ZT_CHECK(!strncmp(t->data, "ZERMELO-TABLE 0007 ", 19), "this is not a table of format 7");
    char digits[32], *p, *table, *folds, *varying;
    memcpy(digits, t->data + 28, 32), memcpy(t->data + 33, t->data, 28); /* to the header, as both have one checksum */
    t->header = t->data + 61, head = strtoll(t->data + 19, NULL, 10);
    ZT_CHECK(61 + head <= size && zt_right(t->data + 33, 28 + head, digits), "the header is damaged");
    table = zt_of(t->header, "\n \"table\": "), p = zt_of(table, "\"chunks\": ");
    ZT_CHECK(p && p < strchr(table, '\n'), "this table is not portable; write it with zermelo export --portable");
    t->chunks = zt_list(p + 1, strchr(p, '\n'), "[", 3, &t->chunk);
    p = zt_of(t->header, "\n \"fields\": ");
    t->fields = zt_list(p, strchr(p, '\n'), "\"low\": ", 4, &t->field);
    p = zt_of(t->header, "\n \"directory\": "), at = zt_value(p, "\"at\": ");
    ZT_CHECK(at <= size && zt_right(t->data + at, size - at, zt_of(p, "\"checksum\": \"")), "the directory is damaged");
    t->entries = memcpy(malloc(size - at + 8), t->data + at, size - at);
    t->words = zt_value(table, "\"words\": "), t->positions = zt_value(table, "\"positions\": ");
    t->symmetries = t->chunks ? zt_value(t->header, "\n \"symmetries\": ") : 1;
    t->turns = *zt_of(table, "\"turns\": ") == 't', t->kind = zt_of(table, "\"value_kind\": \"");
    t->width = zt_of(zt_of(t->header, "\"values\": {\"dtype\": "), "u")[0] - '0';
    p = zt_of(table, "\"palette\": "), t->span = *p == '{'; /* the least and the greatest, not all of them */
    zt_list(p, strpbrk(p, "]}"), "", 1, &t->palette);
    folds = zt_of(table, "\"folds\": "), varying = zt_of(table, "\"varying\": ");
    for (int64_t w = 0; w < t->words; w++, varying++) {
        t->mask[w] = strtoull(folds = strchr(folds, '"') + 1, &folds, 16), t->by[w] = zt_number(&folds);
        t->varying[w] = strtoull(varying = strchr(varying, '"') + 1, &varying, 16);
    }
    t->values = zt_array(t, "\"values\": {"), t->images = zt_array(t, "\"images\": {");
    t->first = zt_array(t, "\"first\": {"), t->steps = zt_array(t, "\"positions\": {");
    ZT_CHECK(t->values && t->images && t->first && t->steps, "the table is damaged");
    t->numbers = calloc(t->positions + 1, 8 * t->words);
    for (int64_t i = 0, words = t->words, bytes = 1; i < t->positions; i++) { /* in the blocks from the first on */
        uint64_t *here = t->numbers + i * words, block = i / 1024, among = i % 1024;
        int64_t count = t->positions - i + among < 1024 ? t->positions - i + among : 1024;
        if (!among) bytes = t->entries[3 * block + 1], zt_gather(t, memcpy(here, t->first + block * words, 8 * words));
        for (int64_t k = carry = 0; among && k < 8 * words; k++, carry >>= 8) {
            carry += (here[-1 - k / 8] >> k % 8 * 8 & 255) + (k < bytes / count ? t->steps[from + k * count + among] : 0);
            here[words - 1 - k / 8] |= (uint64_t)(carry & 255) << k % 8 * 8;
        }
        from += among == 1023 ? bytes : 0;
    }
    return t;
}

/* The value of a position for the player to move: 1, 0 where the table has none, -1 where a number fits no field. */
int zermelo_probe(const struct zermelo_table *t, const int64_t *position, struct zermelo_value *v) {
    const int64_t last = INT32_MAX, ties = 1 << 30, quarter = 1 << 28, words = t->words;
    uint64_t given[16] = {0}, least[16], image[16];
    int64_t low = -1, high = t->positions, code = 0, left = quarter;
    for (int64_t n = 0, *f = t->field; n < t->fields; n++, f += 4) {
        uint64_t raw = (uint64_t)position[n] - f[0];
        if (f[1] < 64 && raw >> f[1]) return zermelo_error = "a number of the position is out of range", -1;
        given[f[2]] |= raw << f[3];
    }
    for (int64_t g = 0; g < t->symmetries; g++) { /* of what symmetries make of it, the least */
        const uint64_t *part = t->images + g;
        memcpy(image, given, 8 * words);
        for (int64_t *c = t->chunk; c < t->chunk + 3 * t->chunks; part += words * t->symmetries << c[2], c += 3) {
            uint64_t value = given[c[0]] >> c[1] & ((1ULL << c[2]) - 1);
            image[c[0]] ^= value << c[1];
            for (int64_t w = 0; w < words; w++) image[w] ^= part[(value * words + w) * t->symmetries];
        }
        if (!g || zt_order(image, least, words) < 0) memcpy(least, image, 8 * words);
    }
    for (int64_t w = 0; w < words; w++)
        if (((least[w] ^= (least[w] & t->mask[w]) << t->by[w]) ^ t->first[w]) & ~t->varying[w]) return 0;
    zt_gather(t, least);
    for (int64_t middle; middle = (low + high) / 2, high - low > 1;)
        *(zt_order(t->numbers + middle * words, least, words) > 0 ? &high : &low) = middle;
    if (low < 0 || zt_order(t->numbers + low * words, least, words)) return 0;
    memcpy(&code, t->values + low * t->width, t->width);
    code = t->span ? t->palette[0] + (code >> t->turns) : t->palette[code >> t->turns];
    *v = (struct zermelo_value){(code > 0) - (code < 0), ZERMELO_NONE, ZERMELO_NONE, ZERMELO_NONE, ZERMELO_NONE};
    if (!strncmp(t->kind, "score", 5)) {
        if (t->kind[5] == '-') left = code & (ties - 1), code = (code - left) / ties;
        if (left != quarter) v->remoteness = (left > 2 * quarter ? ties - 1 : left > quarter ? 2 * quarter : 2 * left) - left;
        v->score = code, v->outcome = (code > 0) - (code < 0);
    } else if (!strncmp(t->kind, "nimber", 6)) {
        v->outcome = code < 0 ? (-1 - code) & 1 : code ? 1 : -1;
        *(code < 0 ? &v->infinity : &v->nimber) = code < 0 ? -1 - code : code;
    } else {
        left = llabs(code) > ties ? last : code > 2 * quarter ? ties : 2 * quarter;
        if (code && llabs(code) != last - 2 * quarter) v->remoteness = left - llabs(code);
        v->outcome *= left == last;
    }
    return 1;
}
