import CarryoverSystem
import CarryoverVendors
import PropertyLists

@testable import Carryover

/// The reader of keyed archives, in either format, and what it makes of them.
enum KeyedArchiveCheck {
  static func check(_ bytes: [UInt8]) -> Bool {
    guard let document = try? PropertyListDocument(bytes: bytes), document.isKeyedArchive else { return false }
    do throws(KeyedArchiveError) {
      for member in try KeyedArchive(document).top { check(member.value) }
      let archive = try KeyedDictionary(document)
      let edits: [PropertyListEdit] = [.set("new", ["x"])] + archive.dictionary.keys.prefix(1).map { .remove($0) }
      // A small file that unfolds to many values may be beyond the limits once it has changed.
      if let bytes = try? archive.editing(edits), let changed = try? PropertyListDocument(bytes: bytes),
        let after = try? KeyedDictionary(changed)
      {
        require(after.dictionary == archive.dictionary.applying(edits), "another edit")
      }
    } catch {
      _ = error.description
    }
    return true
  }

  private static func check(_ value: KeyedValue) {
    require(value == value, "a value that differs from itself")
    let shown = value.shownJSON
    require(require("what is shown") { try JSONText(shown.text()).value } == shown, "another value shown")
    let list = value.propertyList()
    if let plain = list.value {
      let bytes = require("as a property list") { try PropertyListDocument.encode(plain, as: .binary) }
      require(require("read again") { try PropertyListDocument(bytes: bytes).root } == plain, "another property list")
    }
    let json = value.json()
    if let plain = json.value {
      require(require("as JSON") { try JSONText(plain.text()).value } == plain, "another JSON value")
    }
    for part in list.leftOut + json.leftOut { _ = part.description }
    require(list.leftOut.count <= list.leftOutCount, "more is left out than is counted")
  }
}
