import Foundation
import PropertyLists
import Testing

private func edit(_ bytes: [UInt8]) throws -> [UInt8] {
  // snippet: property-list
  let document = try PropertyListDocument(bytes: bytes)  // binary or XML
  for finding in document.findings { print(finding) }  // what was odd, and where
  let edited = try document.editing([.set("user_id", "42"), .remove("stale")])
  // end snippet
  return edited
}

private func unpack(_ document: PropertyListDocument) throws -> PropertyListValue? {
  // snippet: keyed-archive
  let archive = try KeyedArchive(document)  // throws if the document is not a keyed archive
  let plain = archive.propertyList()
  for left in plain?.leftOut ?? [] { print(left) }  // what was omitted and why, with its path
  // end snippet
  return plain?.value
}

@Suite("The page about property lists")
struct PropertyListSnippetTests {
  @Test("a document is read and edited")
  func edited() throws {
    let bytes = try PropertyListDocument.encode(["stale": true, "kept": 1], as: .xml)
    let root = try PropertyListDocument(bytes: edit(bytes)).dictionary
    #expect(root?.entries.map(\.key) == ["kept", "user_id"] && root?["user_id"] == "42")
  }

  @Test("a keyed archive is unpacked")
  func unpacked() throws {
    let root = ["a": "b"] as NSDictionary
    let data = try NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: false)
    #expect(try unpack(PropertyListDocument(bytes: Array(data))) == ["a": "b"])
  }
}
