import CarryoverContainers
import Testing

@testable import CarryoverCommand

@Suite("The line that says how far work has come")
struct ProgressLineTests {
  /// A clock that is set by hand, and what was written.
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
      line.show(OpeningProgress(.search, done: step))
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
      line.show(OpeningProgress(stage, done: done, total: total))
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
    line.show(OpeningProgress(.backup, done: 1))
    line.remove()
    #expect(desk.written.isEmpty)
  }
}
