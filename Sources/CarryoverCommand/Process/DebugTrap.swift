#if DEBUG
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Crashes the process if a test asks for it by CARRYOVER_TRAP, to see whether the terminal is restored. Release
  /// builds do not have it.
  enum DebugTrap {
    static func springIfAsked() {
      switch Console.environment("CARRYOVER_TRAP") {
      case "index": index([])
      case "overflow": Console.errorText("\(Int.max - Int(getpid()) + Int.max)")
      case "null": if let nowhere = UnsafePointer<Int>(bitPattern: 16) { Console.errorText("\(nowhere.pointee)") }
      case "stack": Console.errorText("\(deeper(1))")
      case "abort": abort()
      default: break
      }
    }

    private static func index(_ none: [Int]) { Console.errorText("\(none[Int(getpid())])") }

    private static func deeper(_ depth: Int) -> Int { depth == 0 ? 0 : deeper(depth + 1) + depth }
  }
#endif
