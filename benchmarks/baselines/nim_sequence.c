/* Nimbers of an octal game by all splits, as one writes it: a mark for each option's nimber.
 *
 * usage: nim_sequence HEAPS UNEQUAL DIGIT...
 * DIGITs are those of the code from the one before the point on; UNEQUAL is 1 where two heaps that
 * a move leaves must differ. The answer: the largest nimber, and a sum of all that a different
 * sequence will hardly share.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "sample.h"

int main(int argc, char **argv) {
    if (argc < 4)
        return 2;
    int64_t heaps = atoll(argv[1]), unequal = atoll(argv[2]);
    int digits = argc - 3;
    int32_t *nimber = malloc((size_t)(heaps + 1) * sizeof *nimber);
    int64_t *seen = calloc(1 << 16, sizeof *seen);
    if (!nimber || !seen)
        return 1;
    sample_touch(0);
    sample_begin();
    int32_t largest = 0;
    for (int64_t n = 0; n <= heaps; n++) {
        for (int k = 0; k < digits && k <= n; k++) {
            int digit = atoi(argv[3 + k]);
            int64_t left = n - k;
            if (digit & 1 && left == 0 && k)
                seen[0] = n + 1;
            if (digit & 2 && left > 0)
                seen[nimber[left]] = n + 1;
            if (digit & 4)
                for (int64_t a = 1; a <= (left - unequal) / 2; a++)
                    seen[nimber[a] ^ nimber[left - a]] = n + 1;
        }
        int32_t g = 0;
        while (seen[g] == n + 1)
            g++;
        nimber[n] = g;
        if (g > largest)
            largest = g;
    }
    sample_end();
    uint64_t sum = 0;
    for (int64_t n = 0; n <= heaps; n++)
        sum = (sum * 31 + (uint64_t)nimber[n]) % 1000000007u;
    sample_print();
    printf("{\"heaps\": %lld, \"largest\": %d, \"sum\": %llu}}\n", (long long)heaps, largest,
           (unsigned long long)sum);
    return 0;
}
