// Counts the heap allocations of the whole process by standing in front of the C library's allocator.
#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

// Calls of malloc, calloc, realloc and their aligned relatives so far, or -1 where they cannot be counted
// (anywhere but glibc).
long long allocation_count(void);

#endif
