import CarryoverContainers
import Testing

@testable import CarryoverCommand

@Suite("The line that says how far work has come")
struct ProgressLineTests {
  private final class Desk {
    var moment = ContinuousClock.now
    var written: [String] = []

    func line(isShown: Bool = true) -> ProgressLine {
      ProgressLine(isShown: isShown, now: { self.moment }, write: { self.written.append($0) })
    }
  }

  @Test("Nothing is written in the first half second, then at most ten times a second")
  func pace() {
    let desk = Desk()
    let line = desk.line()
    for step in 0..<100 {
      line.show(OpeningProgress(.search, done: step).text)
      desk.moment = desk.moment.advanced(by: .milliseconds(10))
    }
    #expect(desk.written.count == 5)
    #expect(desk.written.first == "\rSearching for containers: 50")
  }

  @Test("A shorter text covers a longer one, and at the end the line is empty")
  func removal() {
    let desk = Desk()
    let line = desk.line()
    for (stage, done, total) in [(OpeningProgress.Stage.archive, 12_000_000, 99_000_000), (.stores, 3, nil)] {
      desk.moment = desk.moment.advanced(by: .seconds(1))
      line.show(OpeningProgress(stage, done: done, total: total).text)
    }
    let first = "Reading the archive: 12 MB of 99 MB"
    let second = "Reading stores: 3"
    #expect(desk.written == ["\r" + first, "\r" + second + String(repeating: " ", count: first.count - second.count)])
    line.remove()
    #expect(desk.written.last == "\r" + String(repeating: " ", count: second.count) + "\r")
    line.remove()
    #expect(desk.written.count == 3)
  }

  @Test("Where nobody looks, nothing is written")
  func unseen() {
    let desk = Desk()
    let line = desk.line(isShown: false)
    desk.moment = desk.moment.advanced(by: .seconds(9))
    line.show(OpeningProgress(.backup, done: 1).text)
    line.remove()
    #expect(desk.written.isEmpty)
  }

  @Test(
    "An audit's line says how much is left once the inputs are counted",
    arguments: [
      ((412, nil, 0, 2.0), "Audited: 412 inputs, 206 per second"),
      ((412, 1_000, 0, 2.0), "Audited: 412 of 1000 inputs (41%), 206 per second, 3 s left"),
      ((600, 4_000, 500, 10.0), "Audited: 600 of 4000 inputs (15%), 10 per second, 5 min 40 s left"),
      ((500, 4_000, 500, 10.0), "Audited: 500 inputs, 0 per second"),
      ((20, 10, 0, 10.0), "Audited: 20 of 20 inputs (100%), 2 per second, 0 s left"),
      ((10, 100_000, 0, 10.0), "Audited: 10 of 100000 inputs (0%), 1 per second, 27 h 46 min left"),
    ] as [((Int, Int?, Int, Double), String)])
  func audit(_ state: (Int, Int?, Int, Double), _ text: String) {
    #expect(AuditProgress.text(state.0, of: state.1, before: state.2, seconds: state.3) == text)
  }
}
