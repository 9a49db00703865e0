import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverSystem
import CarryoverTerminal

/// Extracts every container in the archives of a folder, each into its own folder in a new folder. A failure in one does
/// not stop the others.
struct ExtractionBatch {
  let inputs: [BatchInput]
  /// The path of the new folder.
  let output: String
  let withState: Bool
  let redacting: RedactionArguments
  var fileSystem: any FileSystem = POSIXFileSystem()

  /// Stops at a pending signal. Containers that are already extracted stay.
  func run() throws -> ExtractionOutput {
    let folder = try ContainerExtractor(fileSystem: fileSystem).makeFolder(output)
    var names = ExtractionNames()
    let outcomes = try Edge.endable { observer in
      inputs.flatMap { extracted($0, to: folder, &names, observer) }
    }
    // Fails, as it should, if the folder has contents.
    try? fileSystem.removeDirectory(folder)
    return ExtractionOutput(folder: output, outcomes: outcomes)
  }

  /// The outcomes of all containers of an input. An archive is read twice for all of them: to open them, and for the
  /// files that are not in memory.
  private func extracted(
    _ input: BatchInput, to folder: String, _ names: inout ExtractionNames, _ observer: OpeningObserver
  ) -> [ExtractionOutcome] {
    var extraction = ContainerExtractor(fileSystem: fileSystem, observer: observer).extraction(withState: withState)
    var outcomes: [ExtractionOutcome] = []
    // Where in the outcomes the containers are that the extraction completes.
    var begun: [Int] = []
    func begin(_ shown: String, _ open: () throws -> OpenedContainer) {
      let place = outcomes.count
      let outcome = outcome(shown) { masking in
        let opened = try open()
        masking.learn(opened.container)
        guard opened.container.wrapper != nil else { return .notWrapped }
        try extraction.add(opened, to: FilePath.join(folder, names.name(shown, opened.container.kind)))
        begun.append(place)
        return .notReached
      }
      outcomes.append(outcome)
    }
    do {
      let located = try input.container.located(
        containers: SearchLimits.mostCandidates, on: fileSystem, observer)
      if let several = try located.severalInArchive() {
        for candidate in several {
          begin(FilePath.join(input.shown, candidate.path)) { try located.opened(.path(candidate.path)) }
        }
      } else {
        begin(input.shown) { try located.opened(nil) }
      }
    } catch {
      outcomes.append(outcome(input.shown) { _ in throw error })
    }
    for (place, result) in zip(begun, extraction.finish()) {
      outcomes[place].result =
        switch result {
        case .success(let report): .extracted(report)
        case .failure(let error): failed(error, outcomes[place].masking)
        }
    }
    return outcomes
  }

  private func outcome(
    _ shown: String, _ work: (Masking) throws -> ExtractionOutcome.Result
  ) -> ExtractionOutcome {
    let masking = redacting.masking
    masking.subject = shown
    var result = ExtractionOutcome.Result.notReached
    do {
      if !ThisProcess.isAskedToEnd { result = try work(masking) }
    } catch {
      result = failed(error, masking)
    }
    return ExtractionOutcome(path: masking.text(shown), result: result, masking: masking)
  }

  private func failed(_ error: any Error, _ masking: Masking) -> ExtractionOutcome.Result {
    guard !ThisProcess.isAskedToEnd else { return .notReached }
    var failure = CommandFailure(error)
    failure.sentence = masking.text(failure.sentence)
    return .failed(failure)
  }
}

struct ExtractionOutcome {
  enum Result {
    case extracted(ExtractionReport)
    /// The container is not in an archive.
    case notWrapped
    case failed(CommandFailure)
    /// The command was told to stop before this container.
    case notReached
  }

  let path: String
  var result: Result
  let masking: Masking

  fileprivate var report: ExtractionReport? { if case .extracted(let report) = result { report } else { nil } }

  fileprivate var status: ExitStatus {
    switch result {
    case .extracted, .notWrapped: .done
    case .failed(let failure): failure.status
    case .notReached: .error
    }
  }

  fileprivate var message: String? {
    switch result {
    case .extracted, .notWrapped: nil
    case .failed(let failure): failure.sentence
    case .notReached: "The command ended before it extracted this container. Run it again with another --output."
    }
  }

  fileprivate var isWrapped: Bool { if case .notWrapped = result { false } else { true } }

  /// The outcome in JSON.
  fileprivate var word: String {
    switch result {
    case .extracted: "extracted"
    case .notWrapped: "not-archived"
    case .failed: "failed"
    case .notReached: "not-reached"
    }
  }
}

struct ExtractionOutput {
  /// The new folder, as the user named it.
  let folder: String
  let outcomes: [ExtractionOutcome]

  var failure: CommandFailure? {
    let wrapped = outcomes.filter(\.isWrapped)
    guard !wrapped.isEmpty else {
      return CommandFailure("No container here is in an archive: there is nothing to extract.", .error)
    }
    let failed = wrapped.filter { $0.status != .done }
    guard let worst = ExitStatus.worstFirst.first(where: { status in failed.contains { $0.status == status } }) else {
      return nil
    }
    return CommandFailure(
      "\(failed.count) of \(ValueWording.counted(wrapped.count, "container")) \(failed.count == 1 ? "was" : "were") "
        + "not extracted.", worst)
  }

  var blocks: [Block] {
    let reports = outcomes.compactMap(\.report)
    let skipped = reports.reduce(0) { $0 + $1.leftOut.count }
    let places = extracted.map(ShellCommand.argument)
    // A masked command could not be pasted.
    let next: [Block] =
      reports.isEmpty || isMasked
      ? []
      : [
        .paragraph(reports.count == 1 ? "To migrate it:" : "To migrate them:"),
        .commands([ShellCommand(["carryover", "apply"] + places)]),
      ]
    return [.paragraph(counts)] + next
      + (skipped > 0 ? [.paragraph("Skipped: \(skipped); --json lists them.")] : [])
      + [.blank] + outcomes.filter(\.isWrapped).flatMap(blocks)
  }

  private var isMasked: Bool { outcomes.contains { $0.masking.isOn } }

  /// The paths to apply. A folder opens as a list only if it has several containers, and no list has property lists.
  private var extracted: [String] {
    let reports = outcomes.compactMap(\.report)
    let (folders, files) = (reports.filter { !$0.isFile }, reports.filter(\.isFile))
    return (folders.count > 1 ? [folder] : folders.map { FilePath.join(folder, $0.place) })
      + files.map { FilePath.join(folder, $0.place) }
  }

  /// `4 containers: 2 extracted, 1 failed, 1 not in an archive.`
  private var counts: String {
    let parts = [
      ("extracted", "extracted"), ("failed", "failed"), ("not-reached", "not reached"),
      ("not-archived", "not in an archive"),
    ].compactMap { word, words -> String? in
      let count = outcomes.count { $0.word == word }
      return count == 0 ? nil : "\(count) \(words)"
    }
    return "\(ValueWording.counted(outcomes.count, "container")): \(parts.joined(separator: ", "))."
  }

  private func blocks(_ outcome: ExtractionOutcome) -> [Block] {
    guard let report = outcome.report else {
      return [
        .paragraph([.sign(.error), .place(" " + outcome.path)], hanging: 4),
        .paragraph(outcome.message ?? "", indent: 4),
      ]
    }
    let skipped = report.leftOut.isEmpty ? "" : ", \(report.leftOut.count) skipped"
    let name = outcome.masking.text(report.place)
    return [
      .paragraph(
        [.sign(.done), .place(" " + outcome.path), .text(" → "), .place(name), .text(": \(report.amount)\(skipped).")],
        hanging: 4)
    ]
  }

  var json: JSONValue {
    .object(present: [
      "schema": "carryover.extractions/1", "redacted": isMasked ? true : nil,
      "output": outcomes.first?.masking.text(folder) ?? folder, "exitStatus": failure?.status ?? .done,
      "containers": outcomes.map { outcome in
        JSONValue.object([
          "path": outcome.path, "outcome": outcome.word, "exitStatus": outcome.status, "message": outcome.message,
          "report": outcome.report.map { outcome.masking.document($0.json) },
        ])
      },
    ])
  }
}

extension ExtractionReport {
  /// `9 files, 12 KB`.
  var amount: String { "\(ValueWording.counted(files, "file")), \(ByteCount.text(bytes))" }

  /// Whether the container is a property list in the new folder, not the folder itself.
  var isFile: Bool { container != destination }

  /// The path of the container, relative to the folder of all extracted ones.
  fileprivate var place: String {
    let name = FilePath.name(of: destination)
    return isFile ? FilePath.join(name, FilePath.name(of: container)) : name
  }

  var json: JSONValue {
    .object([
      "schema": "carryover.extract/1", "output": destination, "container": container, "bundleID": bundleID,
      "files": files, "bytes": bytes,
      "leftOut": leftOut.map { left in
        JSONValue.object(["path": left.path, "reason": left.reason.word, "sentence": left.description])
      },
    ])
  }
}
