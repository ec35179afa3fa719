// What a worker asks of Linux so that less is left to it: prctl and syscall take a variable number of arguments, which
// Swift does not import, and the filter of system calls is a table of C macros.
#ifndef SIGHTLINE_CREADWORKER_H
#define SIGHTLINE_CREADWORKER_H

// What came about, as bits.
#define SL_NO_NEW_PRIVILEGES 1
#define SL_NOT_DUMPABLE 2
#define SL_FILTERED 4

#include <stdint.h>
#include <sys/resource.h>
#include <sys/time.h>

// Limits of a process that Swift imports in a different way on every system.
enum {
  SL_LIMIT_MEMORY,      // bytes of address space
  SL_LIMIT_FILE_BYTES,  // of any file that is written
  SL_LIMIT_FILES,       // number of the first descriptor that cannot be had
  SL_LIMIT_CORE,        // bytes of a memory dump
  SL_LIMIT_PROCESSES,
};

// Sets a limit; -1 when it was refused.
static inline int sl_limit(int which, uint64_t soft, uint64_t hard) {
  struct rlimit limit = {.rlim_cur = (rlim_t)soft, .rlim_max = (rlim_t)hard};
  switch (which) {
    case SL_LIMIT_MEMORY: return setrlimit(RLIMIT_AS, &limit);
    case SL_LIMIT_FILE_BYTES: return setrlimit(RLIMIT_FSIZE, &limit);
    case SL_LIMIT_FILES: return setrlimit(RLIMIT_NOFILE, &limit);
    case SL_LIMIT_CORE: return setrlimit(RLIMIT_CORE, &limit);
    case SL_LIMIT_PROCESSES: return setrlimit(RLIMIT_NPROC, &limit);
    default: return -1;
  }
}

// Ends the process by SIGPROF when it has used so many seconds more of the processor; 0 for never.
static inline void sl_processor_timer(double seconds) {
  struct itimerval timer = {{0, 0}, {0, 0}};
  timer.it_value.tv_sec = (time_t)seconds;
  timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6);
  setitimer(ITIMER_PROF, &timer, 0);
}

// Bytes of the highest memory in use so far, and seconds of processor time.
static inline void sl_usage(uint64_t *peak, double *seconds) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
#if defined(__APPLE__)
  *peak = (uint64_t)usage.ru_maxrss;
#else
  *peak = (uint64_t)usage.ru_maxrss * 1024;
#endif
  *seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

#if defined(__linux__)
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define SL_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define SL_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// One heap, whose large blocks go back to the system when they are freed: a limit on memory counts what is in use.
static inline void sl_prepare_heap(void) {
#if defined(__GLIBC__)
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 8 << 20);
#endif
}
static inline void sl_trim_heap(void) {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

// Numbers of the calls that a computation needs that only reads and writes what is open already. Every other one
// fails with EPERM, among them all that open a file or socket, start a program or a thread, or touch another process.
static inline int sl_confine(void) {
  int done = 0;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) done |= SL_NO_NEW_PRIVILEGES;
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0) done |= SL_NOT_DUMPABLE;
#if defined(SL_ARCHITECTURE) && defined(__NR_seccomp)
  static const unsigned allowed[] = {
    __NR_read, __NR_pread64, __NR_write, __NR_readv, __NR_writev, __NR_close, __NR_fstat, __NR_lseek,
    __NR_mmap, __NR_munmap, __NR_mremap, __NR_mprotect, __NR_madvise, __NR_brk,
    __NR_rt_sigaction, __NR_rt_sigprocmask, __NR_rt_sigreturn, __NR_sigaltstack, __NR_restart_syscall,
    __NR_futex, __NR_sched_yield, __NR_sched_getaffinity, __NR_set_robust_list,
    __NR_ppoll, __NR_epoll_pwait, __NR_epoll_ctl,
    // The runtime's own timer and the threads that wait for signals: refused, they ask again without end.
    __NR_timerfd_settime, __NR_timerfd_gettime, __NR_rt_sigsuspend,
#ifdef __NR_pause
    __NR_pause,
#endif
    __NR_clock_gettime, __NR_clock_getres, __NR_clock_nanosleep, __NR_nanosleep, __NR_gettimeofday,
    __NR_getrusage, __NR_setitimer, __NR_getitimer, __NR_getrandom,
    __NR_getpid, __NR_gettid, __NR_getppid, __NR_getuid, __NR_geteuid, __NR_getgid, __NR_getegid,
    __NR_exit, __NR_exit_group,
#ifdef __NR_poll
    __NR_poll,
#endif
#ifdef __NR_epoll_wait
    __NR_epoll_wait,
#endif
#ifdef __NR_time
    __NR_time,
#endif
#ifdef __NR_membarrier
    __NR_membarrier,
#endif
#ifdef __NR_rseq
    __NR_rseq,
#endif
  };
  // The lower half of an argument: numbers here are small and machines that this runs on are little-endian.
#define SL_ARGUMENT(n) (offsetof(struct seccomp_data, args[n]))
  enum { calls = sizeof allowed / sizeof allowed[0] };
  struct sock_filter program[2 * calls + 32];
  unsigned n = 0;
#define SL_PUT(...) program[n++] = (struct sock_filter)__VA_ARGS__
  SL_PUT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)));
  SL_PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SL_ARCHITECTURE, 1, 0));
  SL_PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  SL_PUT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
  for (unsigned i = 0; i < calls; i++) {
    SL_PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed[i], 0, 1));
    SL_PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  }
  // A signal only to itself: abort() needs it.
  SL_PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_tgkill, 0, 4));
  SL_PUT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, SL_ARGUMENT(0)));
  SL_PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)getpid(), 0, 1));
  SL_PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  SL_PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  // Its own limits, below those that are set for good: each document has its own.
  SL_PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_prlimit64, 0, 4));
  SL_PUT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, SL_ARGUMENT(0)));
  SL_PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1));
  SL_PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  SL_PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  SL_PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  struct sock_fprog filter = {.len = (unsigned short)n, .filter = program};
  // All threads that there are already: those of the runtime, too.
  if (syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) == 0) done |= SL_FILTERED;
#undef SL_PUT
#undef SL_ARGUMENT
#endif
  return done;
}
#else
static inline int sl_confine(void) { return 0; }
static inline void sl_prepare_heap(void) {}
static inline void sl_trim_heap(void) {}
#endif

#endif
