import Foundation
import PropertyLists
import Testing

@Suite("Several SDKs in one container")
struct OtherSDKsTests {
  private let folder: TemporaryFolder
  private let container: String
  private static let rudder: PropertyListDictionary = [
    "rl_anonymous_id": "9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642",
    "rl_traits": #"{"anonymousId":"9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642","userId":"u-1001"}"#,
  ]
  private static let name = "Mixpanel Obj-C → Swift 3+"
  private static let sentence = "This user was logged out by the update: the new SDK started without the legacy values"

  init() throws {
    folder = try TemporaryFolder()
    container = folder.path("Data")
    try place("com.example.app.plist", Self.rudder)
  }

  private func place(_ name: String, _ values: PropertyListDictionary) throws {
    try folder.place(
      "Data/Library/Preferences/" + name, Data(try PropertyListDocument.encode(.dictionary(values), as: .binary)))
  }

  private func placeMixpanel(token: String = "ff01") throws {
    try place(
      "Mixpanel.plist",
      [
        "mixpanel-\(token)MPDistinctID": "u-1001", "mixpanel-\(token)MPUserId": "u-1001",
        "mixpanel-\(token)-MPDistinctID": "device-2",
      ])
  }

  private var options: [String] { [container, "--bundle-id", "com.example.app", "--write-key", "WK"] }

  private func words(_ text: String) -> String {
    text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
  }

  @Test("diagnose, the report and the review name the other SDK with its verdict, as inspect --sdks does")
  func named() throws {
    try placeMixpanel()
    let line = "\(Self.name) (--recipe mixpanel-objc): \(Self.sentence)"
    let diagnosis = words(try Tool.carryover(["diagnose"] + options).output)
    #expect(diagnosis.hasPrefix("Nothing would be lost") && diagnosis.contains(line), "\(diagnosis)")
    #expect(!diagnosis.contains("Nothing. "))
    let report = words(try Tool.carryover(["report"] + options).output)
    #expect(report.contains(line), "\(report)")
    #expect(try Tool.carryover("inspect", container, "--sdks").output.contains("This user was logged out"))
    let review = words(
      try Tool.run(Tool.carryover.path, ["review"] + options + ["--accessible"], input: "verdict\nquit\n").output)
    let said = "\(Self.name) (mixpanel-objc): \(Self.sentence)"
    #expect(review.components(separatedBy: said).count == 3, "on the first screen, and with the verdict: \(review)")
  }

  @Test("the documents name it, and suit their schemas")
  func documents() throws {
    try placeMixpanel()
    for (command, schema) in [("diagnose", "diagnosis-1"), ("report", "container-report-1")] {
      let document = try Tool.carryover([command] + options + ["--json"]).json()
      #expect(try SchemaCheck(schema).problems(document) == [])
      let others = try #require(document["others"] as? [[String: Any]])
      #expect(others.map { $0["recipe"] as? String } == ["mixpanel-objc"])
      #expect((others.first?["verdict"] as? [String: Any])?["outcome"] as? String == "logged-out")
    }
  }

  @Test("with its recipe, the first SDK is the other one; with both recipes, there is none")
  func other() throws {
    try placeMixpanel()
    let mixpanel = words(try Tool.carryover(["diagnose", "--recipe", "mixpanel-objc"] + options).output)
    #expect(mixpanel.hasPrefix(Self.sentence))
    #expect(mixpanel.contains("(--recipe rudderstack-objc): Nothing would be lost"))
    let both = try Tool.run(
      Tool.carryover.path,
      ["review"] + options + ["--accessible", "--recipe", "rudderstack-objc", "--recipe", "mixpanel-objc"],
      input: "quit\n"
    ).output
    #expect(words(both).contains(Self.sentence) && words(both).contains("Nothing would be lost"), "\(both)")
  }

  @Test("a verdict that the container alone does not give says what is missing; one SDK alone has no other")
  func unknown() throws {
    #expect(try !Tool.carryover(["diagnose"] + options).output.contains("Other SDKs"))
    try placeMixpanel()
    try place("com.example.app.plist", Self.rudder)
    for token in ["ff01", "ff02"] {
      try folder.place(
        "Data/Library/mixpanel-\(token)-properties.plist",
        Data(try KeyedArchive.encode(["distinctId": .string("u-\(token)")])))
    }
    let diagnosis = words(try Tool.carryover(["diagnose"] + options).output)
    #expect(diagnosis.contains("(--recipe mixpanel-objc): The container has several values of the project token"))
  }
}
