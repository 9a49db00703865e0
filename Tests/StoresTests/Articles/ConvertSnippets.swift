import CarryoverVendors
import Foundation
import Testing

@Suite("The code about Convert's files")
struct ConvertSnippetTests {
  @Test("an app and its extension give a visitor the same variation (C10)")
  func sharedDecisions() throws {
    let group = TemporaryFolder()
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
    let folder = TemporaryFolder()
    let app = ConvertFiles(applicationSupport: folder.path("app"))
    let group = ConvertFiles(applicationSupport: folder.path("group"))
    try folder.place(
      "app/com.convertexperiments.sdk/event-queue.json", #"[{"visitors":[{"visitorId":"ada","events":[{}]}]}]"#.utf8)
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
