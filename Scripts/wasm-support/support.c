// What the engine's WebAssembly needs from a C library and must not take from one: libc's own versions of these pull in
// stdio, and with it imports that no page should have to provide. Linked before libc.
#include <stddef.h>
#include <stdint.h>

__attribute__((import_module("env"), import_name("sl_host_log"))) void sl_host_log(int32_t level, const uint8_t *utf8,
                                                                                  int32_t count);

void abort(void) { __builtin_trap(); }

void __assert_fail(const char *expression, const char *file, int line, const char *function) {
  (void)expression, (void)file, (void)line, (void)function;
  __builtin_trap();
}

// One instruction each, where libc's go word by word or, compiled for size, byte by byte.
void *memcpy(void *restrict to, const void *restrict from, size_t count) { return __builtin_memcpy(to, from, count); }
void *memmove(void *to, const void *from, size_t count) { return __builtin_memmove(to, from, count); }
void *memset(void *to, int level, size_t count) { return __builtin_memset(to, level, count); }

// Hash seeding only: a fixed sequence makes runs repeat. Never a source of secrets.
void arc4random_buf(void *buffer, size_t count) {
  static uint32_t state = 0x9E3779B9u;
  uint8_t *bytes = buffer;
  for (size_t i = 0; i < count; i++) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    bytes[i] = (uint8_t)state;
  }
}

// `print` and, in debug builds, the text of traps arrive here byte by byte; whole lines go to the page's console.
int putchar(int character) {
  static uint8_t line[1024];
  static int32_t count = 0;
  if (character != '\n') line[count++] = (uint8_t)character;
  if (character == '\n' || count == (int32_t)sizeof line) {
    sl_host_log(0, line, count);
    count = 0;
  }
  return character;
}
