/* Yardsticks for rounds of circuits and for joint movements: plain arrays in row order, one thread.
 *
 *   yardstick KIND AMOEBOTS ROUNDS    prints one line per round: nanoseconds of processor time, and on the clock
 *
 * KIND is `circuit` (one global circuit of a square block, joined again and delivered in each round), `pasc` (PASC on a
 * line, both of its rounds), or `classes` (rigid classes of a square block in which every amoebot expands east). */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static uint64_t mix(uint64_t word) {
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
    word = (word ^ word >> 27) * 0x94d049bb133111ebu;
    return word ^ word >> 31;
}

static uint32_t *parent;

static uint32_t find(uint32_t at) {
    while (parent[at] != at) {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    return at;
}

static void join(uint32_t a, uint32_t b) {
    a = find(a);
    b = find(b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

static void flatten(uint32_t sets) {
    for (uint32_t set = 0; set < sets; set++)
        parent[set] = parent[parent[set]];
}

int main(int count, char **words) {
    if (count != 4)
        return 2;
    uint32_t amoebots = (uint32_t)strtoul(words[2], 0, 10), rounds = (uint32_t)strtoul(words[3], 0, 10);
    uint32_t width = 1;
    while ((uint64_t)(width + 1) * (width + 1) <= amoebots)
        width++;
    if (strcmp(words[1], "pasc"))
        amoebots = width * width;
    parent = malloc(2 * sizeof(uint32_t) * (size_t)amoebots);
    uint8_t *loud = calloc(2, amoebots), *bit = calloc(1, amoebots), *active = malloc(amoebots);
    uint64_t *value = calloc(sizeof(uint64_t), amoebots);
    memset(active, 1, amoebots);
    uint64_t check = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        uint64_t cpu = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
        if (!strcmp(words[1], "circuit")) {
            for (uint32_t set = 0; set < amoebots; set++)
                parent[set] = set;
            for (uint32_t y = 0; y < width; y++)
                for (uint32_t x = 0; x < width; x++) {
                    uint32_t at = y * width + x;
                    if (x)
                        join(at, at - 1);
                    if (y)
                        join(at, at - width);
                    if (y && x + 1 < width)
                        join(at, at - width + 1);
                }
            flatten(amoebots);
            memset(loud, 0, amoebots);
            for (uint32_t at = 0; at < amoebots; at++) {
                active[at] = mix((uint64_t)round << 32 | at) >> 63;
                if (active[at])
                    loud[parent[at]] = 1;
            }
            for (uint32_t at = 0; at < amoebots; at++)
                bit[at] = loud[parent[at]] & !active[at];
            check += bit[amoebots - 1];
        } else if (!strcmp(words[1], "pasc")) {
            if (round % 40 == 0) {
                memset(active, 1, amoebots);
                memset(value, 0, sizeof(uint64_t) * amoebots);
            }
            if (round % 2 == 0) {
                for (uint32_t set = 0; set < 2 * amoebots; set++)
                    parent[set] = set;
                for (uint32_t at = 1; at < amoebots; at++) {
                    join(2 * at + active[at], 2 * at - 2);
                    join(2 * at + !active[at], 2 * at - 1);
                }
                flatten(2 * amoebots);
                memset(loud, 0, 2 * amoebots);
                loud[parent[0]] = 1;
                for (uint32_t at = 0; at < amoebots; at++) {
                    uint64_t heard = loud[parent[2 * at + 1]];
                    value[at] |= heard << round % 40 / 2;
                    active[at] &= !heard;
                }
            } else {
                for (uint32_t set = 0; set < amoebots; set++)
                    parent[set] = set;
                for (uint32_t at = 1; at < amoebots; at++)
                    join(at, at - 1);
                flatten(amoebots);
                memset(loud, 0, amoebots);
                for (uint32_t at = 1; at < amoebots; at++)
                    if (active[at])
                        loud[parent[at]] = 1;
                for (uint32_t at = 0; at < amoebots; at++)
                    bit[at] = loud[parent[at]];
                check += bit[amoebots - 1];
            }
            check += value[amoebots - 1];
        } else if (!strcmp(words[1], "classes")) {
            /* Points 2 i (head) and 2 i + 1 (tail). Bonds east and north-east begin at the head, north-west at the
             * tail; every other side hangs on the tail. */
            for (uint32_t point = 0; point < 2 * amoebots; point++)
                parent[point] = point;
            for (uint32_t y = 0; y < width; y++)
                for (uint32_t x = 0; x < width; x++) {
                    uint32_t at = y * width + x;
                    if (x + 1 < width)
                        join(2 * at, 2 * (at + 1) + 1);
                    if (y + 1 < width)
                        join(2 * at, 2 * (at + width) + 1);
                    if (y + 1 < width && x)
                        join(2 * at + 1, 2 * (at + width - 1) + 1);
                }
            flatten(2 * amoebots);
            check += parent[2 * amoebots - 1];
        } else {
            return 2;
        }
        cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
        wall = now(CLOCK_MONOTONIC) - wall;
        printf("%llu %llu\n", (unsigned long long)cpu, (unsigned long long)wall);
    }
    return check == 1;
}
