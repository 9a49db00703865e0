// The part of Apple's C library that the sources use, declared by ourselves for the check of types: with the types that it
// has in Swift on Apple's systems, and without values, because nothing of this runs. C imports no result as one that must
// be used.
@_exported public import DarwinTypes

public let EACCES: Int32 = 0, EDEADLK: Int32 = 0, EDQUOT: Int32 = 0, EEXIST: Int32 = 0, EFBIG: Int32 = 0
public let EILSEQ: Int32 = 0, EINTR: Int32 = 0, EINVAL: Int32 = 0, EIO: Int32 = 0, ELOOP: Int32 = 0
public let EMFILE: Int32 = 0, ENAMETOOLONG: Int32 = 0, ENFILE: Int32 = 0, ENOENT: Int32 = 0, ENOSPC: Int32 = 0
public let ENOSYS: Int32 = 0, ENOTDIR: Int32 = 0, ENOTEMPTY: Int32 = 0, ENOTSUP: Int32 = 0, ENOTTY: Int32 = 0
public let EOPNOTSUPP: Int32 = 0, EPERM: Int32 = 0, EPIPE: Int32 = 0, EROFS: Int32 = 0, ESRCH: Int32 = 0
public let EWOULDBLOCK: Int32 = 0, EXDEV: Int32 = 0, AT_FDCWD: Int32 = 0, AT_REMOVEDIR: Int32 = 0
public let AT_SYMLINK_NOFOLLOW: Int32 = 0, FD_CLOEXEC: Int32 = 0, F_DUPFD_CLOEXEC: Int32 = 0, F_FULLFSYNC: Int32 = 0
public let F_SETFD: Int32 = 0, LOCK_EX: Int32 = 0, LOCK_NB: Int32 = 0, O_CLOEXEC: Int32 = 0, O_CREAT: Int32 = 0
public let O_DIRECTORY: Int32 = 0, O_EXCL: Int32 = 0, O_NOCTTY: Int32 = 0, O_NOFOLLOW: Int32 = 0
public let O_NONBLOCK: Int32 = 0, O_RDONLY: Int32 = 0, O_RDWR: Int32 = 0, O_WRONLY: Int32 = 0, POLLIN: Int32 = 0
public let SEEK_END: Int32 = 0, STDERR_FILENO: Int32 = 0, STDIN_FILENO: Int32 = 0, STDOUT_FILENO: Int32 = 0
public let ST_RDONLY: Int32 = 0, POSIX_SPAWN_SETPGROUP: Int32 = 0, POSIX_SPAWN_SETSIGDEF: Int32 = 0
public let POSIX_SPAWN_SETSIGMASK: Int32 = 0, PTHREAD_MUTEX_RECURSIVE: Int32 = 0, RLIMIT_AS: Int32 = 0
public let SIG_BLOCK: Int32 = 0, SIG_SETMASK: Int32 = 0, SIG_UNBLOCK: Int32 = 0, SIGCHLD: Int32 = 0
public let SIGCONT: Int32 = 0, SIGHUP: Int32 = 0, SIGINT: Int32 = 0, SIGKILL: Int32 = 0, SIGPIPE: Int32 = 0
public let SIGQUIT: Int32 = 0, SIGTERM: Int32 = 0, SIGTSTP: Int32 = 0, SIGTTIN: Int32 = 0, SIGTTOU: Int32 = 0
public let SIGXFSZ: Int32 = 0, WNOHANG: Int32 = 0, WUNTRACED: Int32 = 0, _SC_NPROCESSORS_ONLN: Int32 = 0
public let (CLOCK_REALTIME, CLOCK_THREAD_CPUTIME_ID, CLOCK_PROCESS_CPUTIME_ID): (clockid_t, clockid_t, clockid_t) = (0, 0, 0)
public let TIOCGWINSZ: UInt = 0
public let (S_IFMT, S_IFDIR, S_IFLNK, S_IFREG): (mode_t, mode_t, mode_t, mode_t) = (0, 0, 0, 0)
public var SIG_DFL: sig_t? { nil }
public var SIG_IGN: sig_t { fatalError() }
public var environ: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> { fatalError() }
public var errno: Int32 {
  get { 0 }
  set {}
}

@discardableResult public func _NSGetExecutablePath(_: UnsafeMutablePointer<CChar>!, _: UnsafeMutablePointer<UInt32>!)
  -> Int32
{ fatalError() }
public func abort() -> Never { fatalError() }
@discardableResult public func clock_gettime(_: clockid_t, _: UnsafeMutablePointer<timespec>!) -> Int32 { fatalError() }
@discardableResult public func close(_: Int32) -> Int32 { fatalError() }
@discardableResult public func closedir(_: DIR!) -> Int32 { fatalError() }
@discardableResult public func dup2(_: Int32, _: Int32) -> Int32 { fatalError() }
@discardableResult public func fchmod(_: Int32, _: mode_t) -> Int32 { fatalError() }
@discardableResult public func fchown(_: Int32, _: uid_t, _: gid_t) -> Int32 { fatalError() }
@discardableResult public func fclose(_: FILE!) -> Int32 { fatalError() }
@discardableResult public func fcntl(_: Int32, _: Int32) -> Int32 { fatalError() }
@discardableResult public func fcntl(_: Int32, _: Int32, _: Int32) -> Int32 { fatalError() }
@discardableResult public func fdopendir(_: Int32) -> DIR! { fatalError() }
@discardableResult public func fileno(_: FILE!) -> Int32 { fatalError() }
@discardableResult public func flock(_: Int32, _: Int32) -> Int32 { fatalError() }
public func free(_: UnsafeMutableRawPointer!) { fatalError() }
@discardableResult public func fstat(_: Int32, _: UnsafeMutablePointer<stat>!) -> Int32 { fatalError() }
@discardableResult public func fstatat(_: Int32, _: UnsafePointer<CChar>!, _: UnsafeMutablePointer<stat>!, _: Int32)
  -> Int32
{ fatalError() }
@discardableResult public func fsync(_: Int32) -> Int32 { fatalError() }
@discardableResult public func ftruncate(_: Int32, _: off_t) -> Int32 { fatalError() }
@discardableResult public func getcwd(_: UnsafeMutablePointer<CChar>!, _: Int) -> UnsafeMutablePointer<CChar>! {
  fatalError()
}
@discardableResult public func getenv(_: UnsafePointer<CChar>!) -> UnsafeMutablePointer<CChar>! { fatalError() }
@discardableResult public func geteuid() -> uid_t { fatalError() }
@discardableResult public func getpgrp() -> pid_t { fatalError() }
@discardableResult public func getpid() -> pid_t { fatalError() }
@discardableResult public func ioctl(_: Int32, _: UInt, _: UnsafeMutableRawPointer) -> Int32 { fatalError() }
@discardableResult public func isatty(_: Int32) -> Int32 { fatalError() }
@discardableResult public func kill(_: pid_t, _: Int32) -> Int32 { fatalError() }
@discardableResult public func linkat(_: Int32, _: UnsafePointer<CChar>!, _: Int32, _: UnsafePointer<CChar>!, _: Int32)
  -> Int32
{ fatalError() }
@discardableResult public func localtime_r(_: UnsafePointer<time_t>!, _: UnsafeMutablePointer<tm>!)
  -> UnsafeMutablePointer<tm>!
{ fatalError() }
@discardableResult public func lseek(_: Int32, _: off_t, _: Int32) -> off_t { fatalError() }
@discardableResult public func mkdirat(_: Int32, _: UnsafePointer<CChar>!, _: mode_t) -> Int32 { fatalError() }
@discardableResult public func mkdtemp(_: UnsafeMutablePointer<CChar>!) -> UnsafeMutablePointer<CChar>! { fatalError() }
@discardableResult public func nanosleep(_: UnsafePointer<timespec>!, _: UnsafeMutablePointer<timespec>!) -> Int32 {
  fatalError()
}
@discardableResult public func open(_: UnsafePointer<CChar>!, _: Int32) -> Int32 { fatalError() }
@discardableResult public func open(_: UnsafePointer<CChar>!, _: Int32, _: mode_t) -> Int32 { fatalError() }
@discardableResult public func openat(_: Int32, _: UnsafePointer<CChar>!, _: Int32) -> Int32 { fatalError() }
@discardableResult public func openat(_: Int32, _: UnsafePointer<CChar>!, _: Int32, _: mode_t) -> Int32 { fatalError() }
@discardableResult public func pipe(_: UnsafeMutablePointer<Int32>!) -> Int32 { fatalError() }
@discardableResult public func poll(_: UnsafeMutablePointer<pollfd>!, _: nfds_t, _: Int32) -> Int32 { fatalError() }
@discardableResult public func posix_spawn(
  _: UnsafeMutablePointer<pid_t>!, _: UnsafePointer<CChar>!, _: UnsafePointer<posix_spawn_file_actions_t?>!,
  _: UnsafePointer<posix_spawnattr_t?>!, _: UnsafePointer<UnsafeMutablePointer<CChar>?>!,
  _: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> Int32 { fatalError() }
@discardableResult public func posix_spawn_file_actions_adddup2(
  _: UnsafeMutablePointer<posix_spawn_file_actions_t?>!, _: Int32, _: Int32
) -> Int32 { fatalError() }
@discardableResult public func posix_spawn_file_actions_addopen(
  _: UnsafeMutablePointer<posix_spawn_file_actions_t?>!, _: Int32, _: UnsafePointer<CChar>!, _: Int32, _: mode_t
) -> Int32 { fatalError() }
@discardableResult public func posix_spawn_file_actions_destroy(_: UnsafeMutablePointer<posix_spawn_file_actions_t?>!)
  -> Int32
{ fatalError() }
@discardableResult public func posix_spawn_file_actions_init(_: UnsafeMutablePointer<posix_spawn_file_actions_t?>!)
  -> Int32
{ fatalError() }
@discardableResult public func posix_spawnattr_destroy(_: UnsafeMutablePointer<posix_spawnattr_t?>!) -> Int32 {
  fatalError()
}
@discardableResult public func posix_spawnattr_init(_: UnsafeMutablePointer<posix_spawnattr_t?>!) -> Int32 {
  fatalError()
}
@discardableResult public func posix_spawnattr_setflags(_: UnsafeMutablePointer<posix_spawnattr_t?>!, _: Int16) -> Int32
{ fatalError() }
@discardableResult public func posix_spawnattr_setpgroup(_: UnsafeMutablePointer<posix_spawnattr_t?>!, _: pid_t)
  -> Int32
{ fatalError() }
@discardableResult public func posix_spawnattr_setsigdefault(
  _: UnsafeMutablePointer<posix_spawnattr_t?>!, _: UnsafePointer<sigset_t>!
) -> Int32 { fatalError() }
@discardableResult public func posix_spawnattr_setsigmask(
  _: UnsafeMutablePointer<posix_spawnattr_t?>!, _: UnsafePointer<sigset_t>!
) -> Int32 { fatalError() }
@discardableResult public func pread(_: Int32, _: UnsafeMutableRawPointer!, _: Int, _: off_t) -> Int { fatalError() }
@discardableResult public func pthread_create(
  _: UnsafeMutablePointer<pthread_t?>!, _: UnsafePointer<pthread_attr_t>?,
  _: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?
) -> Int32 { fatalError() }
@discardableResult public func pthread_equal(_: pthread_t?, _: pthread_t?) -> Int32 { fatalError() }
@discardableResult public func pthread_join(_: pthread_t, _: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> Int32 {
  fatalError()
}
@discardableResult public func pthread_mutex_destroy(_: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 { fatalError() }
@discardableResult public func pthread_mutex_init(
  _: UnsafeMutablePointer<pthread_mutex_t>, _: UnsafePointer<pthread_mutexattr_t>?
) -> Int32 { fatalError() }
@discardableResult public func pthread_mutex_lock(_: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 { fatalError() }
@discardableResult public func pthread_mutex_unlock(_: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 { fatalError() }
@discardableResult public func pthread_mutexattr_destroy(_: UnsafeMutablePointer<pthread_mutexattr_t>) -> Int32 {
  fatalError()
}
@discardableResult public func pthread_mutexattr_init(_: UnsafeMutablePointer<pthread_mutexattr_t>) -> Int32 {
  fatalError()
}
@discardableResult public func pthread_mutexattr_settype(_: UnsafeMutablePointer<pthread_mutexattr_t>, _: Int32)
  -> Int32
{ fatalError() }
@discardableResult public func pthread_self() -> pthread_t { fatalError() }
@discardableResult public func pthread_sigmask(
  _: Int32, _: UnsafePointer<sigset_t>!, _: UnsafeMutablePointer<sigset_t>!
) -> Int32 { fatalError() }
@discardableResult public func raise(_: Int32) -> Int32 { fatalError() }
@discardableResult public func read(_: Int32, _: UnsafeMutableRawPointer!, _: Int) -> Int { fatalError() }
@discardableResult public func readdir(_: DIR!) -> UnsafeMutablePointer<dirent>! { fatalError() }
@discardableResult public func realpath(_: UnsafePointer<CChar>!, _: UnsafeMutablePointer<CChar>!)
  -> UnsafeMutablePointer<CChar>!
{ fatalError() }
@discardableResult public func renameat(_: Int32, _: UnsafePointer<CChar>!, _: Int32, _: UnsafePointer<CChar>!) -> Int32
{ fatalError() }
@discardableResult public func setrlimit(_: Int32, _: UnsafePointer<rlimit>!) -> Int32 { fatalError() }
@discardableResult public func sigaction(_: Int32, _: UnsafePointer<sigaction>!, _: UnsafeMutablePointer<sigaction>!)
  -> Int32
{ fatalError() }
@discardableResult public func sigaddset(_: UnsafeMutablePointer<sigset_t>!, _: Int32) -> Int32 { fatalError() }
@discardableResult public func sigemptyset(_: UnsafeMutablePointer<sigset_t>!) -> Int32 { fatalError() }
@discardableResult public func sigfillset(_: UnsafeMutablePointer<sigset_t>!) -> Int32 { fatalError() }
@discardableResult public func sigismember(_: UnsafePointer<sigset_t>!, _: Int32) -> Int32 { fatalError() }
@discardableResult public func signal(_: Int32, _: sig_t!) -> sig_t! { fatalError() }
@discardableResult public func sigpending(_: UnsafeMutablePointer<sigset_t>!) -> Int32 { fatalError() }
@discardableResult public func sigwait(_: UnsafePointer<sigset_t>!, _: UnsafeMutablePointer<Int32>!) -> Int32 {
  fatalError()
}
@discardableResult public func statvfs(_: UnsafePointer<CChar>!, _: UnsafeMutablePointer<statvfs>!) -> Int32 {
  fatalError()
}
@discardableResult public func strdup(_: UnsafePointer<CChar>!) -> UnsafeMutablePointer<CChar>! { fatalError() }
@discardableResult public func strerror(_: Int32) -> UnsafeMutablePointer<CChar>! { fatalError() }
@discardableResult public func strerror_r(_: Int32, _: UnsafeMutablePointer<CChar>!, _: Int) -> Int32 { fatalError() }
@discardableResult public func sysconf(_: Int32) -> Int { fatalError() }
@discardableResult public func tcsetpgrp(_: Int32, _: pid_t) -> Int32 { fatalError() }
@discardableResult public func tmpfile() -> FILE! { fatalError() }
@discardableResult public func unlinkat(_: Int32, _: UnsafePointer<CChar>!, _: Int32) -> Int32 { fatalError() }
@discardableResult public func waitpid(_: pid_t, _: UnsafeMutablePointer<Int32>!, _: Int32) -> pid_t { fatalError() }
@discardableResult public func write(_: Int32, _: UnsafeRawPointer!, _: Int) -> Int { fatalError() }
