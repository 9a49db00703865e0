// The types of Apple's C library that the sources use. A module of its own, because some functions have a type's name.

public typealias mode_t = UInt16
public typealias nlink_t = UInt16
public typealias dev_t = Int32
public typealias pid_t = Int32
public typealias uid_t = UInt32
public typealias gid_t = UInt32
public typealias ino_t = UInt64
public typealias off_t = Int64
public typealias time_t = Int
public typealias fsblkcnt_t = UInt32
public typealias nfds_t = UInt32
public typealias rlim_t = UInt64
public typealias sigset_t = UInt32
public typealias clockid_t = UInt32
public typealias sig_t = @convention(c) (Int32) -> Void
public typealias DIR = OpaquePointer
public typealias FILE = OpaquePointer
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
public typealias posix_spawnattr_t = UnsafeMutableRawPointer
public typealias posix_spawn_file_actions_t = UnsafeMutableRawPointer

public struct _opaque_pthread_t {}
public struct pthread_attr_t { public init() {} }
public struct pthread_mutex_t { public init() {} }
public struct pthread_mutexattr_t { public init() {} }
public struct sigaction { public init() {} }

public struct timespec {
  public var tv_sec: time_t
  public var tv_nsec: Int
  public init() { (tv_sec, tv_nsec) = (0, 0) }
  public init(tv_sec: time_t, tv_nsec: Int) { (self.tv_sec, self.tv_nsec) = (tv_sec, tv_nsec) }
}
public struct tm {
  public var tm_gmtoff = 0
  public init() {}
}
public struct stat {
  public var st_dev: dev_t = 0
  public var st_mode: mode_t = 0
  public var st_nlink: nlink_t = 0
  public var st_ino: ino_t = 0
  public var st_uid: uid_t = 0
  public var st_gid: gid_t = 0
  public var st_mtimespec = timespec()
  public var st_ctimespec = timespec()
  public var st_size: off_t = 0
  public init() {}
}
public struct statvfs {
  public var f_frsize: UInt = 0
  public var f_bavail: fsblkcnt_t = 0
  public var f_flag: UInt = 0
  public init() {}
}
public struct dirent { public var d_name: (CChar, CChar) = (0, 0) }
public struct winsize {
  public var ws_row: UInt16 = 0
  public var ws_col: UInt16 = 0
  public init() {}
}
public struct pollfd {
  public var fd: Int32
  public var events: Int16
  public var revents: Int16
  public init(fd: Int32, events: Int16, revents: Int16) { (self.fd, self.events, self.revents) = (fd, events, revents) }
}
public struct rlimit {
  public init(rlim_cur: rlim_t, rlim_max: rlim_t) {}
}
