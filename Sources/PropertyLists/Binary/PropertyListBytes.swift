/// The bytes of a file: an array, or memory with another owner, such as a mapped file.
package final class PropertyListBytes: Sendable {
  private enum Storage: @unchecked Sendable {
    case array([UInt8])
    /// Never written to while this object lives; that is the promise of ``init(unowned:release:)``.
    case memory(UnsafeRawBufferPointer, release: @Sendable () -> Void)
  }

  private let storage: Storage

  /// The bytes of an array.
  package init(_ bytes: [UInt8]) { storage = .array(bytes) }

  /// Memory that must be valid and unchanged until `release` is called, which happens once, with the last reference.
  package init(unowned memory: UnsafeRawBufferPointer, release: @escaping @Sendable () -> Void) {
    storage = .memory(memory, release: release)
  }

  deinit {
    if case .memory(_, let release) = storage { release() }
  }

  /// The number of bytes.
  package var count: Int {
    switch storage {
    case .array(let bytes): bytes.count
    case .memory(let memory, _): memory.count
    }
  }

  /// Calls `body` with the bytes, which are valid only during the call.
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch storage {
    case .array(let bytes): try bytes.withUnsafeBufferPointer(body)
    case .memory(let memory, _): try body(memory.bindMemory(to: UInt8.self))
    }
  }
}
