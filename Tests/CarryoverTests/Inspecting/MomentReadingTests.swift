import PropertyLists
import Testing

@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

@Suite("Values read as moments")
struct MomentReadingTests {
  /// 2025-11-20T12:02:03.456Z.
  private static let milliseconds: Int64 = 1_763_640_123_456

  private func reading(_ value: PropertyListValue, _ name: String? = nil) -> MomentReading? {
    MomentReading(.propertyList(value), name: name)
  }

  @Test(
    "a number is read by its size, whatever its name and type",
    arguments: [
      (1_763_640_123, 1_763_640_123_000, .secondsSince1970), ("1763640123", 1_763_640_123_000, .secondsSince1970),
      (1_763_640_123.456, milliseconds, .secondsSince1970), ("1763640123.456", milliseconds, .secondsSince1970),
      (1_763_640_123_456, milliseconds, .millisecondsSince1970),
      (1_763_640_123_456_789, milliseconds, .microsecondsSince1970),
      (.date(PropertyListDate(secondsSince1970: 1)), 1000, .date),
    ] as [(PropertyListValue, Int64, MomentReading.Unit)])
  func bySize(value: PropertyListValue, milliseconds: Int64, unit: MomentReading.Unit) {
    #expect(reading(value) == MomentReading(Moment(millisecondsSince1970: milliseconds), unit))
  }

  @Test("JSON and archives are read like property lists")
  func otherContents() throws {
    let json = MomentReading(.json(.number(JSONNumber(1_763_640_123))), name: nil)
    #expect(json?.unit == .secondsSince1970)
    #expect(MomentReading(.json("1763640123"), name: nil) == json)
    #expect(MomentReading(.keyed(.integer(1_763_640_123)), name: nil) == json)
    #expect(MomentReading(.keyed(.date(PropertyListDate(secondsSince1970: 0))), name: nil)?.unit == .date)
    #expect(MomentReading(.json(.array([])), name: "date") == nil)
  }

  @Test("a number outside the years 2000 to 2099 is no moment, and the first and last of them are")
  func plausible() {
    #expect(reading(946_684_799) == nil && reading(946_684_800)?.moment.text == "2000-01-01T00:00:00Z")
    #expect(reading(4_102_444_799)?.moment.text == "2099-12-31T23:59:59Z" && reading(4_102_444_800) == nil)
    for value in [
      0, 42, -1_763_640_123, 9_007_199_254_740_993, .real(PropertyListReal(.nan)), true, "x", "", "1e9",
      "+1763640123", "1763640123.", "1.763.640.123", .real(PropertyListReal(.infinity)), .null,
    ] as [PropertyListValue] {
      #expect(reading(value, "time") == nil, "\(value)")
    }
  }

  @Test(
    "seconds since 2001 are read where the name speaks of time",
    arguments: [
      "date", "lastLaunch", "created_at", "since", "expiresOn", "expiration", "first-run", "timeStamp", "kTimestamp",
      "com.acme.session.time", "NSUpdateDate", "URLDate",
    ])
  func since2001(name: String) {
    // 2025-11-20T12:02:03Z
    let expected = MomentReading(Moment(secondsSince1970: 1_763_640_123), .secondsSince2001)
    #expect(reading(785_332_923, name) == expected && reading(785_332_923.5, name) != nil)
    #expect(reading(86_400, name) == nil, "small numbers are intervals")
  }

  @Test(
    "names that have the words only within others do not speak of time",
    arguments: [
      "update", "candidates", "latest_ing", "sometimes", "lasting", "format", nil,
    ])
  func otherNames(name: String?) { #expect(reading(785_332_923, name) == nil) }

  @Test(
    "an uptime or a duration is no moment", arguments: ["uptime", "system_uptime_date", "lastUpTime", "timeout", "ttl"])
  func durations(name: String) {
    #expect(reading(785_332_923, name) == nil && reading(1_763_640_123, name) == nil)
  }

  @Test("elements have the name of their array, members their own")
  func names() throws {
    let value = InspectedValue(#"{"date": [785332923], "count": 785332923}"#, name: "k")
    #expect(value.child(at: 0)?.value.child(at: 0)?.value.moment?.unit == .secondsSince2001)
    #expect(value.child(at: 1)?.value.moment == nil)
  }
}
