/* What every program here measures of itself, and how it tells: a line of JSON, in which the
 * answer is left to the program.
 *
 *   sample_touch(bytes);   have the system find memory that will be needed, and forget that it did
 *   sample_begin();        start the clocks
 *   sample_end();          stop them
 *   sample_print();        print all but the answer; then print the answer and "}"
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

static struct {
    double cpu, system, wall;
    long long peak;
} sample;

/* Kilobytes resident now ("VmRSS:") or at the most ("VmHWM:"), as bytes; 0 where none can tell. */
static long long sample_status(const char *name)
{
    char line[256];
    long long kilobytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, name, strlen(name)))
            kilobytes = atoll(line + strlen(name));
    if (file)
        fclose(file);
    return kilobytes * 1024;
}

static void sample_touch(size_t bytes)
{
    if (bytes) {
        char *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block != MAP_FAILED) {
#ifdef MADV_HUGEPAGE
            madvise(block, bytes, MADV_HUGEPAGE);
#endif
            for (size_t i = 0; i < bytes; i += 4096)
                block[i] = 1;
            munmap(block, bytes);
        }
    }
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file) {
        fputs("5", file); /* the peak so far */
        fclose(file);
    }
}

static double sample_clock(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double sample_system(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)used.ru_stime.tv_sec + (double)used.ru_stime.tv_usec * 1e-6;
}

static void sample_begin(void)
{
    sample.peak = -sample_status("VmRSS:");
    sample.system = -sample_system();
    sample.cpu = -sample_clock(CLOCK_PROCESS_CPUTIME_ID);
    sample.wall = -sample_clock(CLOCK_MONOTONIC);
}

static void sample_end(void)
{
    sample.wall += sample_clock(CLOCK_MONOTONIC);
    sample.cpu += sample_clock(CLOCK_PROCESS_CPUTIME_ID);
    sample.system += sample_system();
    sample.peak += sample_status("VmHWM:");
}

static void sample_print(void)
{
    printf("{\"cpu\": %.6f, \"wall\": %.6f, \"system\": %.6f, \"peak\": %lld, \"answer\": ",
           sample.cpu, sample.wall, sample.system, sample.peak);
}
