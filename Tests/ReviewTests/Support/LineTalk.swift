import Carryover
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

/// A review by lines, as somebody types them; keeps what was printed and every effect.
struct LineTalk {
  private(set) var review: LineSession<ReviewState>
  private(set) var transcript: [String] = []
  private(set) var effects: [ReviewEffect] = []
  /// What was printed since the last line.
  private(set) var said: [String] = []
  /// All that was printed, without the lines that were typed.
  private(set) var heard: [String] = []

  init(
    _ plan: Plan = acmePlan(), glyphs: Glyphs = .unicode, decisions: Decisions = [:], lastRun: LastRun? = nil,
    recovered: [RecoveredRun] = [], recoveryFailure: ReviewFailure? = nil, container: Container? = nil,
    redaction: Redaction? = nil, wrapper: ContainerWrapper? = nil, kept: KeptReview? = nil
  ) {
    typealias Talk = LineSession<ReviewState>
    var state = ReviewState(
      plan: plan, decisions: decisions, size: Talk.size,
      options: Talk.options(ReviewOptions(glyphs: glyphs, zoneOffset: 7200, redaction: redaction)),
      backupLocation: "/cases/4711/Acme.xcappdata/.carryover/runs", lastRun: lastRun, wrapper: wrapper,
      recovered: recovered, recoveryFailure: recoveryFailure, container: container)
    if let kept { _ = reduce(&state, .kept(kept)) }
    review = Talk(state)
    note(review.start())
  }

  mutating func type(_ lines: String...) { for line in lines { enter(line) } }

  mutating func enter(_ line: String) {
    transcript.append(review.prompt + line)
    said = []
    note(review.take(line: line))
  }

  mutating func send(_ action: ReviewAction) { note(review.update { reduce(&$0, action) }) }

  mutating func send(_ input: ScreenInput) { note(review.update { reduce(&$0, input) }) }

  private mutating func note(_ step: LineSession<ReviewState>.Step) {
    said += step.lines
    heard += step.lines
    transcript += step.lines
    effects += step.effects
  }

  /// What was printed since the last line, as one text.
  var answer: String { said.joined(separator: "\n") }

  var text: String { (transcript + [review.prompt]).joined(separator: "\n") + "\n" }
}
