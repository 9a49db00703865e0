import Carryover
import Foundation
import PropertyLists
import Terminal
import Testing

@testable import Review

/// How long keys take with very many fields. The bounds are for optimised code, so they are checked only there.
@Suite("Speed with 100,000 fields", .serialized)
struct FindingSpeedTests {
  private static var isOn: Bool { ProcessInfo.processInfo.environment["CARRYOVER_SPEED"] == "1" }

  @Test("typing, ranges and deciding for all stay quick", .enabled(if: isOn), arguments: [true, false])
  func keys(isHostile: Bool) {
    var generator = SeededGenerator(seed: 1)
    var session = Session(isHostile ? generator.hostilePlan(fields: 100_000) : largePlan(100_000))
    var worst: (String, Duration) = ("", .zero)
    let clock = ContinuousClock()
    func press(_ name: String, _ script: String, isFirst: Bool = false) {
      for key in Session.keys(script) {
        let time = clock.measure { session.send(.key(key)) }
        let drawing = clock.measure { _ = render(session.state) }
        print(isHostile ? "hostile" : "plain", name, "\(key)", time, "frame", drawing)
        if !isFirst, time + drawing > worst.1 { worst = ("\(name) \(key)", time + drawing) }
      }
    }
    press("index", "/", isFirst: true)
    press("search", "a<bs>e1c2zz<c-u>abc")
    press("exact", "<c-u>A", isFirst: true)
    press("exact", "bc<enter>nnN<esc>")
    press("filter", "fabc is:todo has:finding<c-u>1 2<enter><esc>")
    press("range", "v<end><home>j<end>")
    press("range decides", " us u<esc>")
    press("menus", "A<esc>F<esc>")
    press("many", "Acu<c-r>u")
    press("next", "nnnN")
    #expect(worst.1 < .milliseconds(50), "\(worst)")
  }
}
