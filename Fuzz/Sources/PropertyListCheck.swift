import Carryover
import CarryoverSystem
import PropertyLists

/// The reader of property lists, its writers and its editor.
enum PropertyListCheck {
  static func check(_ bytes: [UInt8], as format: PropertyListFormat) -> Bool {
    // Each format has a corpus of its own.
    guard bytes.starts(with: "bplist".utf8) == (format == .binary) else { return false }
    do throws(PropertyListError) {
      let document = try PropertyListDocument(bytes: bytes)
      for finding in document.findings { _ = finding.description }
      rewrite(document)
      edit(document)
    } catch {
      _ = error.description
    }
    return true
  }

  /// What is written is read again as the same value, and a second time as the same bytes.
  private static func rewrite(_ document: PropertyListDocument) {
    for format in PropertyListFormat.allCases {
      guard let bytes = try? PropertyListDocument.encode(document.root, as: format) else { continue }
      let again = require("what was written as \(format)") { try PropertyListDocument(bytes: bytes) }
      // XML has one width of reals.
      require(format == .xml || again.root == document.root, "another value as \(format)")
      let second = require("written twice") { try PropertyListDocument.encode(again.root, as: format) }
      require(second == bytes, "other bytes as \(format)")
    }
    let json = CodedValue.json(document.root)
    require(CodedValue.value(json) == document.root || !isEncodable(document.root), "another value as JSON")
  }

  private static func isEncodable(_ value: PropertyListValue) -> Bool {
    (try? PropertyListDocument.encode(value, as: .binary)) != nil
  }

  private static func edit(_ document: PropertyListDocument) {
    guard let dictionary = document.dictionary else { return }
    let first = dictionary.keys.first ?? "new"
    for edits in [[PropertyListEdit.set("new", "value")], [.remove(first)], [.set(first, [1, 2])]] {
      guard let bytes = try? document.editing(edits) else { continue }
      let again = require("what was edited") { try PropertyListDocument(bytes: bytes) }
      require(again.root == .dictionary(dictionary.applying(edits)), "another value after an edit")
    }
  }
}
