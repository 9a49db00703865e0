import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverSystem
import CarryoverTerminal

/// The batches that several containers have runs of: the runs that one command made are one batch.
struct BatchListing {
  struct Batch {
    let id: BatchID
    let kind: RunKind
    /// Of its first run.
    var moment: Moment
    var fields = 0
    /// Of each of its runs.
    var standings: [RunStanding] = []

    fileprivate var state: String {
      let counts = RunStanding.allCases.compactMap { standing -> String? in
        let count = standings.count { $0 == standing }
        guard count > 0 else { return nil }
        return count == standings.count ? standing.words : "\(standing.words) in \(count)"
      }
      return counts.joined(separator: ", ")
    }

    /// Whether it has something to roll back.
    fileprivate var isInEffect: Bool {
      kind != .rollback && standings.contains { $0 == .holds || $0 == .partlyTakenBack }
    }
  }

  /// The newest first.
  private(set) var batches: [Batch] = []
  private(set) var containers = 0
  /// How many runs belong to no batch.
  private(set) var others = 0
  private(set) var problems: [String] = []
  /// How many containers have a run to recover. The problems name it.
  private var interrupted = 0

  init(_ inputs: [BatchInput], isMasked: Bool) {
    var places: [String: Int] = [:]
    for input in inputs {
      // Values of one container say nothing of another.
      let masking = Masking(isMasked)
      do {
        let opened = try input.container.open(nil, masking, quietly: true)
        guard opened.container.wrapper == nil else { continue }
        containers += 1
        let listing = try Edge.migrator(opened).history(of: opened.container)
        problems += listing.problems.map { masking.text("\(input.shown): \($0.description)") }
        if let failure = Edge.recoveryNeeded(opened) {
          let sentence = masking.text("\(input.shown): \(failure.sentence)")
          if failure.status == .recoveryNeeded { interrupted += 1 }
          // A closed state folder is a problem of the listing already.
          if !problems.contains(sentence) { problems.append(sentence) }
        }
        for run in listing.runs {
          guard let id = run.batch else {
            others += 1
            continue
          }
          let place = places[id.text] ?? batches.count
          if place == batches.count { batches.append(Batch(id: id, kind: run.kind, moment: run.moment)) }
          places[id.text] = place
          batches[place].moment = min(batches[place].moment, run.moment)
          batches[place].fields += run.writtenCount
          batches[place].standings.append(run.standing)
        }
      } catch {
        // An archive or a backup with several containers is read-only, so it has no runs.
        if input.wrapped(error, masking, isRollback: true) != nil { continue }
        problems.append(masking.text("\(input.shown): \(CommandFailure(error).sentence)"))
      }
    }
    batches.sort { ($1.moment, $1.id.text) < ($0.moment, $0.id.text) }
  }

  var failure: CommandFailure? {
    guard interrupted > 0 else { return nil }
    return CommandFailure(
      "A run was interrupted in \(ValueWording.counted(interrupted, "container")). Run carryover recover on "
        + "\(interrupted == 1 ? "it" : "each").", .recoveryNeeded)
  }

  /// - Parameter rollback: the command that rolls a batch back, without its id.
  func blocks(rollback: ShellCommand) -> [Block] {
    var table = Table(
      [
        .init(.whole, "batch", .head), .init(.whole, "began", isOptional: true), .init(.sentence, "what"),
        .init(.whole, "containers"), .init(.whole, "fields", isOptional: true), .init(.sentence, "state"),
      ], heading: true)
    for batch in batches {
      table.add([
        .name(batch.id.text), .moment(batch.moment), .text(batch.kind.rawValue), .count(batch.standings.count),
        .count(batch.fields), .text(batch.state),
      ])
    }
    let count = ValueWording.counted(containers, "container")
    var blocks: [Block] = batches.isEmpty ? [.paragraph("\(count): no batches yet.")] : [.table(table)]
    if others > 0 {
      blocks.append(
        .paragraph(
          "\(ValueWording.counted(others, "run")) of single containers: carryover history CONTAINER shows them."))
    }
    if let newest = batches.first(where: \.isInEffect) {
      var command = rollback
      command.add("--batch", newest.id.text)
      blocks += [.blank, .paragraph("To roll back the newest one in effect:"), .commands([command])]
      if batches.count(where: \.isInEffect) > 1 {
        blocks.append(.paragraph("To roll back another one, give --batch its id from the first column."))
      }
    }
    return blocks + HistoryOutput.problems(problems)
  }

  var json: JSONValue {
    .object([
      "schema": "carryover.batches/1", "containers": containers,
      "batches": batches.map { batch in
        let standings = RunStanding.allCases.map { standing in
          JSONMember(standing.rawValue, batch.standings.count { $0 == standing }.json)
        }
        return JSONValue.object([
          "id": batch.id, "kind": batch.kind, "moment": batch.moment, "containers": batch.standings.count,
          "fields": batch.fields, "standings": JSONValue.object(standings),
        ])
      },
      "otherRuns": others, "problems": problems,
    ])
  }
}
