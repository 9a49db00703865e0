import Carryover
import CarryoverReview
import CarryoverSystem

private let preferences = "AppData/Library/Preferences"
private let target = preferences + "/com.acme.shop.analytics.1xAcmeWriteKey.plist"
private let run = ".carryover/runs/20251120T120500Z-1"
private let temporary = preferences + "/.carryover-20251120T120500Z-1-1.tmp"

/// What an apply of the sample does to the file system, shortened.
let sampleOperations: [NotedOperation] = noted([
  FileOperationEvent(.makeFolder, ".carryover", purpose: .other),
  FileOperationEvent(.lock, ".carryover/lock", purpose: .lock),
  FileOperationEvent(.makeFolder, run, purpose: .other),
  FileOperationEvent(.write, run + "/record.json.tmp", purpose: .record, size: 1842),
  FileOperationEvent(.synchronize, run + "/record.json.tmp", purpose: .record),
  FileOperationEvent(
    .rename, run + "/record.json.tmp", purpose: .record, destination: run + "/record.json"),
  FileOperationEvent(.write, run + "/after/1.plist", purpose: .copy, size: 612),
  FileOperationEvent(.write, temporary, purpose: .temporary, size: 612),
  FileOperationEvent(.synchronize, temporary, purpose: .temporary),
  FileOperationEvent(
    .rename, ".carryover/journal.json.tmp", purpose: .journal, destination: ".carryover/journal.json"),
  FileOperationEvent(.rename, temporary, purpose: .temporary, destination: target),
  FileOperationEvent(.synchronizeFolder, preferences, purpose: .file),
  FileOperationEvent(.verify, target, purpose: .file, size: 612),
  FileOperationEvent(.remove, ".carryover/journal.json", purpose: .journal),
])

/// The same up to the step at which the disk was full.
let failedOperations: [NotedOperation] = noted(
  sampleOperations.prefix(7).map(\.event) + [
    FileOperationEvent(
      .write, temporary, purpose: .temporary,
      failure: FileSystemError(.write, "/cases/4711/Acme.xcappdata/" + temporary, .system(28))),
    FileOperationEvent(.remove, run + "/record.json", purpose: .record),
  ])

private func noted(_ events: [FileOperationEvent]) -> [NotedOperation] {
  events.enumerated().map { index, event in
    NotedOperation(event, at: Moment(millisecondsSince1970: 1_763_640_300_000 + Int64(index) * 7))
  }
}

extension Session {
  /// Confirms, applies, and lets the run do its work.
  mutating func applySample(
    _ operations: [NotedOperation] = sampleOperations, _ result: Result<RunReport, ReviewFailure> = .success(acmeReport)
  ) {
    send(.clock(Moment(secondsSince1970: 1_763_640_299)))
    type("n ay")
    send(.operations(operations))
    send(.clock(Moment(millisecondsSince1970: 1_763_640_300_120)))
    send(.applied(result))
  }
}
