import CarryoverVendors
import Foundation
import Testing

@Suite("The code about Convert's files")
struct ConvertSnippetTests {
  @Test("an app and its extension give a visitor the same variation (C10)")
  func sharedDecisions() throws {
    let group = FileManager.default.temporaryDirectory.appending(path: "carryover-convert-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: group) }
    func decided(_ visitorID: String, calculated: () -> JSONValue) throws -> JSONValue? {
      // snippet: convert-update
      let files = ConvertFiles(applicationSupport: group.path)
      guard let visitor = ConvertDecisions.Subject(account: "100", project: "200", visitor: visitorID) else {
        return nil
      }
      let variation = try files.updateDecisions { decisions in
        decisions.variation(of: "experience-1", for: visitor) { calculated() }
      }
      // end snippet
      return variation
    }
    #expect(try decided("ada") { "A" } == "A")
    #expect(try decided("ada") { "B" } == "A")
    #expect(try decided("bob") { "B" } == "B")
    #expect(try decided("") { "C" } == nil)
  }

  @Test("events that wait in the app's folder are moved to that of its app group (C10)")
  func movedEvents() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "carryover-convert-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let app = ConvertFiles(applicationSupport: folder.appending(path: "app").path)
    let group = ConvertFiles(applicationSupport: folder.appending(path: "group").path)
    let sdk = folder.appending(path: "app/com.convertexperiments.sdk")
    try FileManager.default.createDirectory(at: sdk, withIntermediateDirectories: true)
    try Data(#"[{"visitors":[{"visitorId":"ada","events":[{}]}]}]"#.utf8).write(
      to: sdk.appending(path: "event-queue.json"))
    let before = try #require(try app.queue())
    // snippet: convert-move-queue
    try app.updateQueue { waiting in
      Result {
        try group.updateQueue { $0.append(waiting) }
        waiting = ConvertQueue()
      }
    }.get()
    // end snippet
    #expect(try app.queue() == nil)
    #expect(try group.queue() == before)
  }
}
