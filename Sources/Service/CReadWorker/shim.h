// What a worker asks of Linux so that less is left to it: prctl and syscall take a variable number of arguments, which
// Swift does not import, and the filter of system calls is a table of C macros.
#ifndef SIGHTLINE_CREADWORKER_H
#define SIGHTLINE_CREADWORKER_H

// What came about, as bits.
#define SL_NO_NEW_PRIVILEGES 1
#define SL_NOT_DUMPABLE 2
#define SL_FILTERED 4
#define SL_FILES_RESTRICTED 8

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
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
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

// Landlock, whose header and numbers are younger than the systems that this is built on.
struct sl_landlock_rules { uint64_t files, network, scopes; };
struct sl_landlock_path { uint64_t access; int32_t parent; } __attribute__((packed));
enum {
  SL_LANDLOCK_CREATE = 444, SL_LANDLOCK_ADD = 445, SL_LANDLOCK_RESTRICT = 446,
  SL_FILE_EXECUTE = 1 << 0, SL_FILE_WRITE = 1 << 1, SL_FILE_READ = 1 << 2, SL_FILE_LIST = 1 << 3,
  SL_FILE_REMOVE_FOLDER = 1 << 4, SL_FILE_REMOVE = 1 << 5, SL_FILE_MAKE_FOLDER = 1 << 7, SL_FILE_MAKE = 1 << 8,
  SL_FILE_TRUNCATE = 1 << 14,
};

// The version of Landlock that the kernel has; 0 without.
static inline int sl_landlock_version(void) {
  long version = syscall(SL_LANDLOCK_CREATE, 0, 0, 1);
  return version > 0 ? (int)version : 0;
}

// Begins rules under which nothing may be opened, connected to or signalled; a descriptor, or -1 without Landlock.
static inline int sl_landlock_begin(void) {
  int version = sl_landlock_version();
  if (version < 1) return -1;
  struct sl_landlock_rules rules = {.files = (1 << 13) - 1};
  if (version >= 2) rules.files |= 1 << 13;
  if (version >= 3) rules.files |= SL_FILE_TRUNCATE;
  if (version >= 5) rules.files |= 1 << 15;
  if (version >= 4) rules.network = 3;
  if (version >= 6) rules.scopes = 3;
  size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  return (int)syscall(SL_LANDLOCK_CREATE, &rules, size, 0);
}

// Lets what lies at a path be read, in a folder also be written; 0 when there is such a path.
static inline int sl_landlock_allow(int rules, const char *path, int writes) {
  int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return -1;
  struct stat info;
  if (fstat(file, &info) != 0) { close(file); return -1; }
  struct sl_landlock_path rule = {.access = SL_FILE_READ, .parent = file};
  if (S_ISDIR(info.st_mode)) rule.access |= SL_FILE_LIST;
  if (writes) {
    rule.access |= SL_FILE_WRITE | SL_FILE_REMOVE_FOLDER | SL_FILE_REMOVE | SL_FILE_MAKE_FOLDER | SL_FILE_MAKE;
    if (sl_landlock_version() >= 3) rule.access |= SL_FILE_TRUNCATE;
  }
  long result = syscall(SL_LANDLOCK_ADD, rules, 1, &rule, 0);
  close(file);
  return (int)result;
}

// Puts the rules in force for this thread and all that it starts, and ends them as a descriptor.
static inline int sl_landlock_end(int rules) {
  int done = 0;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) done |= SL_NO_NEW_PRIVILEGES;
  if (rules >= 0 && syscall(SL_LANDLOCK_RESTRICT, rules, 0) == 0) done |= SL_FILES_RESTRICTED;
  if (rules >= 0) close(rules);
  return done;
}

// For a process that needs files and threads: takes away sockets, programs, other processes, and what changes the machine
// or the rights of files, and leaves the rest. What is new in a later kernel is not known here: the rules above hold files
// all the same.
static inline int sl_confine_files(void) {
  int done = 0;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) done |= SL_NO_NEW_PRIVILEGES;
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0) done |= SL_NOT_DUMPABLE;
#if defined(SL_ARCHITECTURE) && defined(__NR_seccomp)
  static const unsigned denied[] = {
    __NR_socket, __NR_socketpair, __NR_bind, __NR_connect, __NR_listen, __NR_accept, __NR_accept4,
    __NR_execve, __NR_execveat,
    __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev, __NR_kcmp, __NR_kill, __NR_tkill,
    __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo,
    424 /* pidfd_send_signal */, 434 /* pidfd_open */, 438 /* pidfd_getfd */, 440 /* process_madvise */,
    425, 426, 427 /* io_uring */,
    __NR_mount, __NR_umount2, __NR_pivot_root, __NR_chroot, __NR_unshare, __NR_setns,
    428, 429, 430, 431, 432, 433, 442 /* open_tree to fspick, mount_setattr */,
    __NR_bpf, __NR_perf_event_open, __NR_userfaultfd, __NR_keyctl, __NR_add_key, __NR_request_key,
    __NR_init_module, __NR_finit_module, __NR_delete_module, __NR_kexec_load, __NR_reboot, __NR_swapon, __NR_swapoff,
    __NR_acct, __NR_quotactl, __NR_syslog, __NR_settimeofday, __NR_clock_settime, __NR_adjtimex, __NR_clock_adjtime,
    __NR_sethostname, __NR_setdomainname, __NR_personality, __NR_open_by_handle_at, __NR_name_to_handle_at,
    __NR_setuid, __NR_setgid, __NR_setreuid, __NR_setregid, __NR_setresuid, __NR_setresgid, __NR_setgroups,
    __NR_setfsuid, __NR_setfsgid, __NR_capset,
    __NR_fchmodat, 452 /* fchmodat2 */, __NR_fchownat, __NR_fchown, __NR_setxattr, __NR_lsetxattr, __NR_fsetxattr,
    __NR_removexattr, __NR_lremovexattr, __NR_fremovexattr, __NR_mknodat, __NR_symlinkat, __NR_linkat,
    __NR_shmget, __NR_shmat, __NR_msgget, __NR_semget, __NR_mq_open,
#ifdef __NR_fork
    __NR_fork, __NR_vfork, __NR_chmod, __NR_chown, __NR_lchown, __NR_mknod, __NR_symlink, __NR_link,
#endif
  };
#define SL_ARGUMENT(n) (offsetof(struct seccomp_data, args[n]))
  enum { calls = sizeof denied / sizeof denied[0] };
  struct sock_filter program[2 * calls + 32];
  unsigned n = 0;
#define SL_PUT(...) program[n++] = (struct sock_filter)__VA_ARGS__
  SL_PUT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)));
  SL_PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SL_ARCHITECTURE, 1, 0));
  SL_PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  SL_PUT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
  // The same calls by their other numbers (x32).
  SL_PUT(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
  SL_PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  for (unsigned i = 0; i < calls; i++) {
    SL_PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, denied[i], 0, 1));
    SL_PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  }
  // clone3 keeps its flags in memory, where no filter can look: as if there were none, so that clone is called.
  SL_PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 435, 0, 1));
  SL_PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS));
  // Threads, but no processes.
  SL_PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 4));
  SL_PUT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, SL_ARGUMENT(0)));
  SL_PUT(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x00010000, 0, 1));
  SL_PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  SL_PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  // A signal only to itself: abort() needs it.
  SL_PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_tgkill, 0, 4));
  SL_PUT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, SL_ARGUMENT(0)));
  SL_PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)getpid(), 0, 1));
  SL_PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  SL_PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  // Limits of its own process alone.
  SL_PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_prlimit64, 0, 4));
  SL_PUT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, SL_ARGUMENT(0)));
  SL_PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1));
  SL_PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  SL_PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  SL_PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  struct sock_fprog filter = {.len = (unsigned short)n, .filter = program};
  if (syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) == 0) done |= SL_FILTERED;
#undef SL_PUT
#undef SL_ARGUMENT
#endif
  return done;
}
#else
static inline int sl_confine(void) { return 0; }
static inline int sl_confine_files(void) { return 0; }
static inline int sl_landlock_version(void) { return 0; }
static inline int sl_landlock_begin(void) { return -1; }
static inline int sl_landlock_allow(int rules, const char *path, int writes) { return -1; }
static inline int sl_landlock_end(int rules) { return 0; }
static inline void sl_prepare_heap(void) {}
static inline void sl_trim_heap(void) {}
#endif

#endif
