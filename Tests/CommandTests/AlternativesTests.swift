import Carryover
import CarryoverSystem
import CarryoverVendors
import Foundation
import Testing

@Suite("What plan, recipes and report list in full")
struct AlternativesTests {
  @Test("plan lists the other values of a field with their numbers, masked where that is asked for")
  func alternatives() throws {
    let sample = try SampleCopy("Disagree")
    let other = "3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b"
    let lines = try sample.run("plan").output.split(separator: "\n")
    let start = try #require(lines.firstIndex { $0.hasPrefix("Other values") })
    let rows = lines[(start + 1)...].prefix(2)
    #expect(rows.first?.contains("anonymous_id        1  \(other)") == true)
    #expect(rows.first?.contains("rsDefaultsPersistence.plist") == true)
    #expect(rows.last?.contains("rudder.app_version  1  4.1.0") == true)
    let masked = try sample.run("plan", "--redact").output
    #expect(masked.contains("anonymous_id        1  ‹id-") && !masked.contains(other))
    #expect(try !SampleCopy("Clean").run("plan").output.contains("Other values"))
  }

  @Test("recipes are listed with everything they read, uncut in a narrow window")
  func recipes() throws {
    let list = try Tool.carryover("recipe", "list").output
    for recipe in Recipe.builtIn {
      #expect(list.contains("\(recipe.reference.title), version \(recipe.reference.version)"))
      for place in recipe.sources.flatMap(\.places) { #expect(list.contains(place)) }
    }
    #expect(!list.contains("…"))
  }

  @Test("a report counts the keys of a JSON store")
  func jsonStore() throws {
    let sample = try SampleCopy("AcmeShop")
    let folder = sample.path + "/AppData/Library/Application Support"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(#"{"a":1,"b":[2,3],"c":null}"#.utf8).write(to: URL(fileURLWithPath: folder + "/state.json"))
    let report = try sample.run("report").output
    let row = try #require(report.split(separator: "\n").first { $0.contains("state.json") })
    #expect(row.contains("| json | 26 bytes | 3 |"), "\(row)")
  }

  @Test("an id with blanks or hidden characters is refused by --set and taken by --set-json")
  func hiddenCharacters() throws {
    let sample = try SampleCopy("Clean")
    for text in [" u-42 \n", "u-42\u{200B}"] {
      let refused = try sample.run("plan", "--set", "user_id=" + text)
      #expect(refused.status == 64 && refused.error.contains("--set-json"), "\(refused.error)")
    }
    #expect(try sample.run("plan", "--set", "user_id= u-42 \n").error.contains(#"“ u-42 \n”"#))
    let taken = try sample.run("apply", "--set-json", #"user_id=" u-42 \n""#, "--yes")
    #expect(taken.status == 0, "\(taken.error)")
    #expect(try sample.targetAsPythonReadsIt()["user_id"] == "str\t' u-42 \\n'")
    #expect(try SampleCopy("Clean").run("plan", "--set", "rudder.app_version= 4.2").status == 0)
  }
}
