import CFuzzer
import Foundation

/// Feeds one reader with bytes that libFuzzer makes, and goes by what they run. Which one is named by the environment,
/// because the fuzzer starts itself again for some of its work and reads every argument itself.
@main
enum Main {
  static func main() {
    guard let name = ProcessInfo.processInfo.environment["CARRYOVER_READER"], let reader = Reader(rawValue: name) else {
      let names = Reader.allCases.map(\.rawValue).joined(separator: " ")
      FileHandle.standardError.write(Data("CARRYOVER_READER names no reader; there are \(names)\n".utf8))
      exit(64)
    }
    chosen = reader.check
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(
      LLVMFuzzerRunDriver(&count, &arguments) { bytes, size in
        Main.chosen(Array(UnsafeBufferPointer(start: bytes, count: size))) ? 0 : -1
      })
  }

  /// Set once, before the loop begins; a function for C can hold nothing.
  nonisolated(unsafe) private static var chosen: ([UInt8]) -> Bool = { _ in false }
}
