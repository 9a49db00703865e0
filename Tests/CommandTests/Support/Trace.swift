import Foundation

enum Trace {
  /// The calls by which something could be written, and those that open files.
  static let calls =
    "trace=creat,rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,mkdirat,link,linkat,symlink,symlinkat,"
    + "chmod,fchmod,fchmodat,chown,fchown,fchownat,lchown,truncate,ftruncate,fsync,fdatasync,pwrite64,writev,open,openat,"
    + "write"

  /// The lines of a trace that write, to anything but standard output and error.
  static func writing(in log: String) throws -> [Substring] {
    let trace = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    guard trace.contains(where: { $0.contains("openat") }) else { throw Tool.Missing("a trace") }
    return trace.filter { line in
      if line.contains("open") {
        return line.contains("O_WRONLY") || line.contains("O_RDWR") || line.contains("O_CREAT")
      }
      if line.contains(" write(1,") || line.contains(" write(2,") { return false }
      return !line.contains("+++") && !line.contains("---")
    }
  }
}
