/// The real file system, with somebody who has a moment right before each operation, or before one of them.
struct MomentaryFileSystem: FileSystemLayer {
  private let real: POSIXFileSystem
  private let walking: Bool
  private let pass: @Sendable () -> Void

  /// - Parameters:
  ///   - walking: whether it is confined without the call that opens a folder in one step.
  ///   - number: the number of the operation, from 0; nil for each.
  init(walking: Bool = false, before number: Int?, _ moment: @escaping @Sendable () -> Void) {
    let count = MomentCount()
    self.init(POSIXFileSystem(), walking: walking) {
      let passed = count.next()
      if number == nil || number == passed { moment() }
    }
  }

  private init(_ real: POSIXFileSystem, walking: Bool, _ pass: @escaping @Sendable () -> Void) {
    self.real = real
    self.walking = walking
    self.pass = pass
  }

  var base: any FileSystem {
    pass()
    return real
  }

  func confined(to folders: [String]) throws(FileSystemError) -> any FileSystem {
    pass()
    return MomentaryFileSystem(try real.confined(to: folders, walking: walking), walking: walking, pass)
  }

  var user: UInt32 { real.user }
}

final class MomentCount: Sendable {
  private let count = Locked(0)

  var passed: Int { count.withLock { $0 } }

  @discardableResult
  func next() -> Int {
    count.withLock { count in
      count += 1
      return count - 1
    }
  }
}
