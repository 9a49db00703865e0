import CarryoverVendors
import Foundation
import PropertyLists
import Testing

@Suite("The code about Convert's files")
struct ConvertSnippetTests {
  @Test("an app and its extension give a visitor the same variation (C10)")
  func sharedDecisions() throws {
    let group = FileManager.default.temporaryDirectory.appending(path: "carryover-convert-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: group) }
    func decided(_ visitorID: String, calculated: () -> JSONValue) throws -> JSONValue {
      // snippet: convert-update
      let files = ConvertFiles(applicationSupport: group.path)
      let visitor = ConvertDecisions.Subject(project: "100-200", visitor: visitorID)
      let variation = try files.updateDecisions { decisions in
        decisions.variation(of: "experience-1", for: visitor) { calculated() }
      }
      // end snippet
      return variation
    }
    #expect(try decided("ada") { "A" } == "A")
    #expect(try decided("ada") { "B" } == "A")
    #expect(try decided("bob") { "B" } == "B")
  }
}
