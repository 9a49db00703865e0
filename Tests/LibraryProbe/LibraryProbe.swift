import Foundation

/// An app for tests: it does one job of the library on real stores, so that a test can kill it at any system call and start
/// it again. `LibraryProbe prepare|run|check|values|again|race JOB FOLDER`; the folder must be its home too, where
/// UserDefaults lie.
@main
enum LibraryProbe {
  #if os(Linux)
    static func main() { OneThread.run { await start() } }
  #else
    static func main() async { await start() }
  #endif

  private static func start() async -> Never {
    let words = CommandLine.arguments.dropFirst()
    guard words.count == 3, let verb = words.first, let folder = words.last else { usage() }
    let name = words[words.startIndex + 1]
    let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
    guard home == folder else {
      // Nobody's own defaults are to be written, and none read.
      say("HOME is \(home) and must be \(folder)")
      exit(64)
    }
    if verb == "race", let race = races[name] {
      race.serve(folder, say)
      exit(0)
    }
    guard let job = jobs[name] else { usage() }
    do {
      switch verb {
      case "prepare": try job.prepare(folder)
      case "run": say(try await job.run(folder))
      case "values":
        for (name, value) in try job.values(folder).sorted(by: { $0.key < $1.key }) { say("\(name)=\(value)") }
      case "check", "again":
        // What is there is read before anything of the library's can mend it.
        let wrong = try await job.check(folder)
        for line in wrong { say(line) }
        if !wrong.isEmpty { exit(1) }
        if verb == "again" { say(try await job.run(folder)) }
      default: exit(64)
      }
      exit(0)
    } catch {
      say("failed: \(error)")
      exit(1)
    }
  }

  private static let races: [String: any Race] = [
    "files": ModelRace(place: .files, hasShapes: false), "files-shapes": ModelRace(place: .files, hasShapes: true),
    "encrypted": ModelRace(place: .encrypted, hasShapes: false),
    "encrypted-shapes": ModelRace(place: .encrypted, hasShapes: true),
    "defaults": ModelRace(place: .defaults, hasShapes: false),
    "defaults-shapes": ModelRace(place: .defaults, hasShapes: true), "identity": IdentityRace(),
  ]

  private static func usage() -> Never {
    say("usage: LibraryProbe prepare|run|check|values|again \(jobs.keys.sorted().joined(separator: "|")) FOLDER")
    say("   or: LibraryProbe race \(races.keys.sorted().joined(separator: "|")) FOLDER")
    exit(64)
  }

  private static let jobs: [String: any Job] = [
    "restore": RestoreJob(), "route": RouteJob(), "model": ModelJob(), "version": ModelJob(isBeside: true),
    "share": ShareJob(), "convert": ConvertJob(),
  ]

  private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

protocol Job: Sendable {
  func prepare(_ folder: String) throws
  /// What the app does at each start.
  /// - Returns: what was done, on one line.
  func run(_ folder: String) async throws -> String
  /// Looks at what is stored, without the code that has migrated it.
  /// - Returns: what is wrong.
  func check(_ folder: String) async throws -> [String]
  /// The values that stand where they belong, which no later start may change.
  func values(_ folder: String) throws -> [String: String]
}

extension Job {
  func values(_ folder: String) throws -> [String: String] { [:] }
}

func differences<Value: Equatable>(_ pairs: [(what: String, found: Value?, wanted: Value?)]) -> [String] {
  pairs.filter { $0.found != $0.wanted }.map {
    "\($0.what) is \($0.found.map { "\($0)" } ?? "missing") instead of \($0.wanted.map { "\($0)" } ?? "missing")"
  }
}

struct Refused: Error {
  var what: String
}
