import Carryover
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

/// A review by prompts, driven by lines as somebody types them; keeps what was said and every effect.
struct LinearSession {
  var review: LinearReview
  private(set) var transcript: [String] = []
  private(set) var effects: [ReviewEffect] = []
  /// What was said since the last line.
  private(set) var said: [String] = []

  init(
    _ plan: Plan = acmePlan(), glyphs: Glyphs = .unicode, decisions: Decisions = [:], lastRun: LastRun? = nil,
    recovered: [RecoveredRun] = [], recoveryFailure: ReviewFailure? = nil, container: Container? = nil,
    redaction: Redaction? = nil, wrapper: ContainerWrapper? = nil, kept: KeptReview? = nil
  ) {
    review = LinearReview(
      plan: plan, decisions: decisions,
      options: ReviewOptions(glyphs: glyphs, zoneOffset: 7200, redaction: redaction),
      backupLocation: "/cases/4711/Acme.xcappdata/.carryover/runs", lastRun: lastRun, wrapper: wrapper,
      recovered: recovered, recoveryFailure: recoveryFailure, container: container, kept: kept)
    note(review.start())
  }

  /// Types lines, each ended by Enter.
  mutating func type(_ lines: String...) { for line in lines { enter(line) } }

  mutating func enter(_ line: String) {
    transcript.append(review.prompt + line)
    said = []
    note(review.take(line: line))
  }

  mutating func send(_ action: ReviewAction) { note(review.take(action)) }

  private mutating func note(_ step: LinearStep) {
    said += step.lines
    transcript += step.lines
    effects += step.effects
  }

  /// What was said since the last line, as one text.
  var answer: String { said.joined(separator: "\n") }

  /// Everything from the start, and the prompt it waits at.
  var text: String { (transcript + [review.prompt]).joined(separator: "\n") + "\n" }
}

/// A conversation in one situation, to be recorded.
struct LinearScene: Sendable {
  var name: String
  var sample = "AcmeShop"
  var glyphs = Glyphs.unicode
  var recovered: [RecoveredRun] = []
  var isRedacted = false
  var kept: KeptReview?
  var hold: @Sendable (inout LinearSession) -> Void

  func transcript() throws -> String {
    var plan = try samplePlan(sample)
    let container = try sampleContainer(sample)
    var redaction: Redaction?
    if isRedacted {
      var masks = Redaction(recipes: Recipe.builtIn)
      masks.learn(container)
      masks.learn(plan)
      plan = masks.findings(of: plan)
      redaction = masks
    }
    var session = LinearSession(
      plan, glyphs: glyphs, recovered: recovered, container: container, redaction: redaction, kept: kept)
    hold(&session)
    return session.text
  }

  static let all: [LinearScene] = [
    LinearScene(name: "apply") {
      $0.type("confirm", "go app_build", "edit", "4.2", "420", "preview", "apply", "y", "apply", "yes")
      $0.send(.applied(.success(acmeReport)))
    },
    LinearScene(name: "help") { $0.type("help", "help undo", "con", "c", "p", "un", "quit", "no", "quit", "yes") },
    LinearScene(name: "reading") {
      $0.type(
        "again", "details", "explain", "warnings", "left behind", "list", "list to decide", "find pro",
        "filter session", "filter", "recipes", "recipes 1", "log", "status")
    },
    LinearScene(name: "stores") {
      $0.type("go traits", "stores", "list", "2", "up", "up", "find pro", "help", "back")
    },
    LinearScene(name: "history") {
      $0.type("history")
      $0.send(.history(sampleRuns))
      $0.type("2")
      $0.send(.rollbackPlan(conflictedPlan))
      $0.type("take back", "leave", "list", "roll back", "only 1 3", "roll back", "no", "roll back", "yes")
      $0.send(
        .rolledBack(
          .failure(ReviewFailure(message: "The files changed. Nothing was written.", remedy: "Look again."))))
    },
    LinearScene(name: "roll-back", recovered: sampleRecovered) {
      $0.type("roll back", "c", "apply", "yes")
      $0.send(.applied(.success(acmeReport)))
      $0.type("roll back")
      $0.send(.rollbackPlan(cleanPlan))
      $0.type("keys", "leave 1", "roll back", "yes")
    },
    LinearScene(name: "conflict", sample: "HalfFilled") {
      $0.type("keep", "t 1", "take 9", "all clean", "undo", "preview")
    },
    LinearScene(name: "many") {
      $0.type("many", "many 1", "undo", "filter is:todo", "confirm", "filter is:what", "next", "filter", "log")
    },
    LinearScene(name: "kept", kept: sampleKept) {
      $0.type("", "help", "yes", "quit", "no", "undo", "redo", "quit", "forget")
    },
    LinearScene(name: "blocked", sample: "OptedOut") { $0.type("apply", "preview") },
    LinearScene(name: "ascii", glyphs: .ascii) { $0.type("details", "c", "preview", "apply", "") },
    LinearScene(name: "redacted", isRedacted: true) { $0.type("details", "go 3", "preview", "stores", "up", "back") },
  ]

  /// The choice among containers, recorded too.
  static func choosing() -> String {
    var choice = LinearChoice(sampleCandidates, place: "/cases/4711/iPhone-backup.zip", options: ReviewOptions())
    var lines = choice.start().lines
    for line in ["", "9", "acme", "wallet"] {
      lines.append(choice.prompt + line)
      lines += choice.take(line: line).lines
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
