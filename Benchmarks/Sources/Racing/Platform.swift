#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why a peer could not do its task.
public enum PeerError: Error {
  case usage
  case file(path: String, errno: Int32)
}

/// Processor time this process has used, in its own code and in the system on its behalf.
func cpuSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The whole content of a file, read with as few copies as the system allows.
public func readFile(_ path: String) throws -> [UInt8] {
  let descriptor = open(path, O_RDONLY)
  guard descriptor >= 0 else { throw PeerError.file(path: path, errno: errno) }
  defer { _ = close(descriptor) }
  var status = stat()
  guard fstat(descriptor, &status) == 0 else { throw PeerError.file(path: path, errno: errno) }
  return try [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, filled in
    while filled < buffer.count {
      let got = read(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
      guard got >= 0 else { throw PeerError.file(path: path, errno: errno) }
      if got == 0 { break }
      filled += got
    }
  }
}

func writeFile(_ bytes: [UInt8], to path: String) throws {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
  guard descriptor >= 0 else { throw PeerError.file(path: path, errno: errno) }
  defer { _ = close(descriptor) }
  var done = 0
  try bytes.withUnsafeBytes { buffer in
    while done < buffer.count {
      let put = write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
      guard put > 0 else { throw PeerError.file(path: path, errno: errno) }
      done += put
    }
  }
}
