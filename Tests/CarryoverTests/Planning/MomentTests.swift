import CarryoverSystem
import Foundation
import Testing

@Suite("Moments")
struct MomentTests {
  @Test("a moment is made of a date, to the millisecond, and of any number without a trap")
  func ofDates() {
    let date = Date(timeIntervalSince1970: 1_763_640_300.1239)
    #expect(Moment(timeIntervalSince1970: date.timeIntervalSince1970).millisecondsSince1970 == 1_763_640_300_123)
    #expect(Moment(timeIntervalSince1970: -0.0001).millisecondsSince1970 == -1)
    #expect(Moment(timeIntervalSince1970: .infinity).millisecondsSince1970 == .max)
    #expect(Moment(timeIntervalSince1970: -1e300).millisecondsSince1970 == .min)
    #expect(Moment(timeIntervalSince1970: .nan).millisecondsSince1970 == 0)
  }
}
