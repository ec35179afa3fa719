// The memory of a WebAssembly file: two-level segregated fit (Masmano, Ripoll, Crespo and Real, ECRTS 2004), each call in bounded
// time. Linked before libc, whose dlmalloc is 3 kB larger when compressed, in every file.
//
// Blocks follow each other without gaps. Each begins with how long the one before is and how long it is itself; free ones are in
// lists by their length and never stand beside each other.
#include <stddef.h>
#include <stdint.h>

// Lengths are in units, with the header; what is handed out begins at a multiple of 16, as v128 and long double want. MOST is all
// that a memory can have, so that sums do not overflow.
enum { UNIT = 16, HEADER = 8, PAGE = 65536, MOST = 1 << 28, BINS = 192, TRIES = 8 };

typedef struct block {
  uint32_t before, units : 31, isUsed : 1;
  // Of free blocks only.
  struct block *next, *previous;
} block;

extern unsigned char __heap_base;
static block *bins[BINS], *last;
static uint64_t filled[BINS / 64];

static block *after(block *it) { return (block *)((char *)it + (size_t)it->units * UNIT); }

// The list of a length: exact below 16 units, from there eight to a power of two.
static uint32_t bin(uint32_t units) {
  uint32_t shift = units < 16 ? 0 : 28 - __builtin_clz(units);
  return 8 * shift + (units >> shift);
}

static void set(block *it, uint32_t units, uint32_t isUsed) {
  it->units = units;
  it->isUsed = isUsed;
  after(it)->before = units;
}

static void enter(block *it) {
  uint32_t place = bin(it->units);
  it->previous = NULL;
  it->next = bins[place];
  if (it->next) it->next->previous = it;
  bins[place] = it;
  filled[place / 64] |= 1ull << place % 64;
}

static void leave(block *it) {
  uint32_t place = bin(it->units);
  if (it->next) it->next->previous = it->previous;
  if (it->previous) it->previous->next = it->next;
  else if (!(bins[place] = it->next)) filled[place / 64] &= ~(1ull << place % 64);
}

// A block becomes free, together with its free neighbours.
__attribute__((noinline)) static void release(block *it) {
  uint32_t units = it->units;
  block *other = after(it);
  if (!other->isUsed) {
    leave(other);
    units += other->units;
  }
  other = (block *)((char *)it - (size_t)it->before * UNIT);
  if (!other->isUsed) {
    leave(other);
    units += other->units;
    it = other;
  }
  set(it, units, 0);
  enter(it);
}

// The memory's end is a used block without anything in it; what the memory grows by takes its place.
static int grow(uint32_t units) {
  uint32_t pages = units / (PAGE / UNIT) + 1;
  if (last == NULL) {
    // A used block of one unit stands before all.
    block *first = (block *)(((uintptr_t)&__heap_base + UNIT - 1) / UNIT * UNIT + UNIT - HEADER);
    first->units = first->isUsed = 1;
    last = after(first);
    last->before = 1;
    pages = 0;
  } else if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) {
    return 0;
  }
  block *old = last;
  uint32_t end = __builtin_wasm_memory_size(0) * PAGE - HEADER;
  set(old, (end - (uint32_t)(uintptr_t)old) / UNIT, 1);
  last = after(old);
  last->units = 0;
  last->isUsed = 1;
  release(old);
  return 1;
}

static block *find(uint32_t units) {
  uint32_t place = bin(units);
  // The list of its own length may have one that is long enough; all of those after it are.
  block *it = bins[place];
  for (int tries = 0; it && tries < TRIES; tries++, it = it->next) {
    if (it->units >= units) return it;
  }
  for (place++; place < BINS; place = (place / 64 + 1) * 64) {
    uint64_t left = filled[place / 64] >> place % 64;
    if (left) return bins[place + __builtin_ctzll(left)];
  }
  return NULL;
}

// What a block has beyond so many units becomes free.
static void trim(block *it, uint32_t units) {
  uint32_t rest = it->units - units;
  if (rest == 0) return;
  set(it, units, 1);
  block *other = after(it);
  set(other, rest, 1);
  release(other);
}

static block *take(size_t size) {
  if (size > MOST) return NULL;
  uint32_t units = (size + HEADER + UNIT - 1) / UNIT;
  block *it;
  while (!(it = find(units))) {
    if (!grow(units)) return NULL;
  }
  leave(it);
  it->isUsed = 1;
  trim(it, units);
  return it;
}

void *malloc(size_t size) {
  block *it = take(size);
  return it ? (char *)it + HEADER : NULL;
}

void free(void *memory) {
  if (memory == NULL) return;
  block *it = (block *)((char *)memory - HEADER);
  // Given back twice, or never handed out.
  if (!it->isUsed) __builtin_trap();
  release(it);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (alignment < UNIT) alignment = UNIT;
  block *it = size > MOST || alignment > MOST / 2 ? NULL : take(size + alignment - UNIT);
  if (it == NULL) return 12; // ENOMEM
  // What lies before the first multiple of the alignment, and behind what is wanted, goes back.
  char *start = (char *)(((uintptr_t)it + HEADER + alignment - 1) & -(uintptr_t)alignment);
  uint32_t lead = (uint32_t)(start - HEADER - (char *)it) / UNIT;
  if (lead) {
    uint32_t rest = it->units - lead;
    set(it, lead, 1);
    block *front = it;
    it = after(it);
    set(it, rest, 1);
    release(front);
  }
  trim(it, (size + HEADER + UNIT - 1) / UNIT);
  *memory = start;
  return 0;
}
