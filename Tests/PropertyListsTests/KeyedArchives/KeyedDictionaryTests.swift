import Foundation
import PropertyLists
import Testing

@Suite("Keyed archives that are edited")
struct KeyedDictionaryTests {
  private func foundation(_ root: NSDictionary) throws -> PropertyListDocument {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.encode(root, forKey: "root")
    archiver.finishEncoding()
    return try PropertyListDocument(bytes: [UInt8](archiver.encodedData))
  }

  private func edited(_ document: PropertyListDocument, _ edits: PropertyListEdit...) throws -> KeyedDictionary {
    try KeyedDictionary(PropertyListDocument(bytes: KeyedDictionary(document).editing(edits)))
  }

  private func error(_ builder: ArchiveBuilder) throws -> KeyedArchiveError? {
    let document = try builder.document()
    do throws(KeyedArchiveError) {
      _ = try KeyedDictionary(document)
      return nil
    } catch {
      return error
    }
  }

  @Test("objects of other classes stay as they are, and no removed value stays in the file")
  func foreign() throws {
    let document = try foundation([
      "address": ArchivedAddress(), "id": "first-id", "session": ["token": "secret-1", "city": "Ulm"] as NSDictionary,
    ])
    let before = try KeyedArchive(document).root
    let after = try edited(
      document, .set("id", "second-id"), .remove("session"), .set("flag", true), .set("list", ["a", .data([7])]))
    let root = try KeyedArchive(after.document).root
    #expect(root?["address"]?["city"] == .string("Ulm") && root?["address"] == before?["address"])
    #expect(after.dictionary["address"] == .null)
    #expect(after.dictionary["id"] == "second-id" && after.dictionary["flag"] == true)
    #expect(after.dictionary["list"] == ["a", .data([7])] && after.dictionary["session"] == nil)
    let text = String(decoding: after.document.bytes, as: UTF8.self)
    for gone in ["first-id", "secret-1", "session", "token"] { #expect(!text.contains(gone), "\(gone)") }
    #expect(try KeyedDictionary(document).editing([]) == document.bytes)
  }

  @Test("Foundation reads an edited archive, also one in XML")
  func readers() throws {
    for format in [PropertyListFormat.binary, .xml] {
      let new = try PropertyListDocument(bytes: KeyedArchive.encode(["id": "a", "n": 7, "s": "$null"]))
      let document = try PropertyListDocument(bytes: PropertyListDocument.encode(new.root, as: format))
      let bytes = try edited(document, .set("id", "b"), .set("new", "c"), .remove("n")).document.bytes
      let read = try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(Data(bytes)) as? [String: String]
      #expect(read == ["id": "b", "new": "c", "s": "$null"])
    }
  }

  @Test("of several pairs with one key, one stays; keys that are no strings, and the object itself, are kept")
  func odd() throws {
    var builder = ArchiveBuilder.object(
      "NSMutableDictionary",
      [
        "NS.keys": ArchiveBuilder.references(3, 5, 3, 4), "NS.objects": ArchiveBuilder.references(4, 3, 5, 1),
        "note": "kept",
      ])
    builder.objects += ["id", "x", 7]
    let after = try edited(builder.document(), .set("id", "y"), .set("x", 8))
    #expect(after.dictionary.entries == [.init(key: "id", value: "y"), .init(key: "x", value: 8)])
    guard case .array(let objects)? = after.document.dictionary?["$objects"] else { return }
    guard case .dictionary(let root) = objects[1] else { return }
    #expect(root["note"] == "kept" && root["$class"] == .uid(2))
    #expect(try KeyedArchive(after.document).root?.kind == .dictionary)
    let removed = try edited(builder.document(), .remove("id"))
    #expect(removed.dictionary.keys == ["x"])
  }

  @Test("an archive without a dictionary that can be edited is refused")
  func refused() throws {
    func wrong(_ found: KeyedValue.Kind) -> KeyedArchiveError {
      KeyedArchiveError(.wrongKind(member: "root", expected: [.dictionary], found: found))
    }
    #expect(try error(.object("NSArray", ["NS.objects": []])) == wrong(.array))
    #expect(try error(.object("AcmeCache", ["NS.keys": [], "NS.objects": []])) == wrong(.object))
    #expect(
      try error(.object("NSDictionary", ["NS.key.0": .uid(3), "NS.object.0": .uid(3)], "id"))
        == KeyedArchiveError(.memberMissing("NS.keys"), object: 1))
    var builder = ArchiveBuilder.object("NSDictionary", ["NS.keys": [], "NS.objects": []])
    builder.top = ["data": .uid(1)]
    #expect(try error(builder) == KeyedArchiveError(.memberMissing("root")))
    builder.top = ["root": ["id": "x"]]
    #expect(
      try error(builder)
        == KeyedArchiveError(.wrongKind(member: "root", expected: [.reference], found: .dictionary)))
    builder.top = ["root": .uid(9)]
    #expect(try error(builder) == KeyedArchiveError(.referenceOutside(9, count: 3)))
  }
}
