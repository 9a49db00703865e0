import CarryoverSystem
import CarryoverVendors
import PropertyLists

@testable import Carryover

/// What a run leaves in a container's state folder: a journal, and a record.
enum StateCheck {
  static func journal(_ bytes: [UInt8]) -> Bool {
    do throws(RunError) {
      let journal = try Journal(bytes, path: "journal.json") { foreignReason(of: $0) }
      check(journal.files)
      require(journal.foreign != nil, "a journal that nobody sealed is the user's own")
      let text = journal.document.text(pretty: true)
      let again = require("the journal it writes") {
        try Journal(Array(text.utf8), path: "journal.json") { _ in journal.foreign }
      }
      require(again == journal && again.document.text(pretty: true) == text, "another journal")
    } catch {
      _ = error.description
    }
    return true
  }

  static func record(_ bytes: [UInt8]) -> Bool {
    do throws(RunError) {
      let reader = try RecordReader(bytes, path: "record.json")
      let record = try RunRecord(reader)
      check(record.files)
      require(foreignReason(of: reader.root) != nil, "a record that nobody sealed is the user's own")
      let text = record.document.text(pretty: true)
      let again = require("the record it writes") {
        try RunRecord(RecordReader(Array(text.utf8), path: "record.json"))
      }
      require(again == record && again.document.text(pretty: true) == text, "another record")
      require(RunID(record.id.text) == record.id, "another id")
    } catch {
      _ = error.description
    }
    return true
  }

  /// Why a document is not a user's whose key sealed nothing: nothing that is made up may be theirs.
  private static func foreignReason(of document: JSONValue) -> ForeignReason? {
    StateSeal.foreignReason(of: document, ownedBy: 501, 501, seal)
  }

  private static let seal = StateKey([UInt8](repeating: 7, count: StateKey.length)).map {
    StateSeal(key: $0, container: 1)
  }

  /// No path of a file, of a folder made for it or of a copy leads out.
  private static func check(_ files: [RecordedFile]) {
    for file in files {
      for path in [file.path] + file.folders { requireInside(path) }
      for folder in file.folders { require(file.path.hasPrefix(folder + "/"), "a folder beside the file: \(folder)") }
      for case .file(let name, _, let digest) in [file.before, file.after] {
        requireInside(name)
        require(!name.utf8.contains(UInt8(ascii: "/")) && digest.size >= 0, "a copy elsewhere: \(name)")
      }
    }
  }
}
