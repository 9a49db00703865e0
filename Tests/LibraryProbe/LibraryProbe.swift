import Foundation

/// An app for tests: it does one job of the library on real stores, so that a test can kill it at any system call and start
/// it again. `LibraryProbe prepare|run|check JOB FOLDER`; the folder must be its home too, where UserDefaults lie.
@main
enum LibraryProbe {
  static func main() async {
    let words = CommandLine.arguments.dropFirst()
    guard words.count == 3, let verb = words.first, let folder = words.last,
      let job = jobs[words[words.startIndex + 1]]
    else {
      say("usage: LibraryProbe prepare|run|check \(jobs.keys.sorted().joined(separator: "|")) FOLDER")
      exit(64)
    }
    let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
    guard home == folder else {
      // Nobody's own defaults are to be written, and none read.
      say("HOME is \(home) and must be \(folder)")
      exit(64)
    }
    do {
      switch verb {
      case "prepare": try job.prepare(folder)
      case "run": say(try await job.run(folder))
      case "check":
        let wrong = try await job.check(folder)
        for line in wrong { say(line) }
        exit(wrong.isEmpty ? 0 : 1)
      default: exit(64)
      }
    } catch {
      say("failed: \(error)")
      exit(1)
    }
  }

  private static let jobs: [String: any Job] = [
    "restore": RestoreJob(), "route": RouteJob(), "model": ModelJob(), "share": ShareJob(),
  ]

  private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

/// What an app does with its stores when it starts.
protocol Job: Sendable {
  /// Puts the data of before into an empty folder.
  func prepare(_ folder: String) throws
  /// What the app does at each start.
  /// - Returns: what was done, on one line.
  func run(_ folder: String) async throws -> String
  /// Looks at what is stored, without the code that has migrated it.
  /// - Returns: what is wrong.
  func check(_ folder: String) async throws -> [String]
}

/// A line for each of two that differ.
func differences<Value: Equatable>(_ pairs: [(what: String, found: Value?, wanted: Value?)]) -> [String] {
  pairs.filter { $0.found != $0.wanted }.map {
    "\($0.what) is \($0.found.map { "\($0)" } ?? "missing") instead of \($0.wanted.map { "\($0)" } ?? "missing")"
  }
}

struct Refused: Error {
  var what: String
}
