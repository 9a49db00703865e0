extension POSIXFileSystem {
  /// The bytes and attributes of an open file.
  func contents(_ descriptor: Int32, _ path: String, limit: Int) -> Result<FileImage, FileSystemError> {
    do throws(SystemErrorNumber) {
      let status = try SystemCalls.attributes(of: descriptor)
      guard status.kind == .regular else { return .failure(FileSystemError(.read, path, .notRegular(status.kind))) }
      guard status.size <= Int64(limit) else { return .failure(FileSystemError(.read, path, .tooLarge(limit: limit))) }
      guard let bytes = try bytes(descriptor, expected: Int(status.size), limit: limit) else {
        return .failure(FileSystemError(.read, path, .tooLarge(limit: limit)))
      }
      return .success(FileImage(bytes: bytes, status: status))
    } catch {
      return .failure(FileSystemError(.read, path, .system(error.number)))
    }
  }

  /// The bytes of an open file from an offset.
  func part(_ descriptor: Int32, from offset: Int, count: Int) throws(SystemErrorNumber) -> [UInt8] {
    var failure: SystemErrorNumber?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(SystemErrorNumber) {
        while filled < count {
          let free = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[filled..<count]))
          let read = try SystemCalls.readBytes(
            descriptor, at: offset.addingReportingOverflow(filled).partialValue, into: free)
          guard read > 0 else { return }
          filled += read
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Everything up to the end of the file, whose size may have changed since it was read; nil if over the limit.
  private func bytes(_ descriptor: Int32, expected: Int, limit: Int) throws(SystemErrorNumber) -> [UInt8]? {
    var bytes: [UInt8] = []
    // One byte more than expected, so that the usual file ends inside the first chunk.
    var chunk = expected.addingReportingOverflow(1).partialValue
    while true {
      var failure: SystemErrorNumber?
      var atEnd = false
      let part = [UInt8](unsafeUninitializedCapacity: chunk) { buffer, count in
        do throws(SystemErrorNumber) {
          while count < chunk {
            let free = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[count..<chunk]))
            let read = try SystemCalls.readBytes(descriptor, into: free)
            guard read > 0 else { return atEnd = true }
            count += read
          }
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      if bytes.isEmpty { bytes = part } else { bytes += part }
      guard bytes.count <= limit else { return nil }
      if atEnd { return bytes }
      chunk = 1 << 16
    }
  }
}
