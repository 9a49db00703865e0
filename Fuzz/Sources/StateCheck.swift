import PropertyLists

@testable import Carryover

/// What a run leaves in a container's state folder: a journal, and a record.
enum StateCheck {
  static func journal(_ bytes: [UInt8]) -> Bool {
    do throws(MigrationError) {
      let journal = try Journal(json: bytes, path: "journal.json")
      requireInside(journal.files)
      let again = require("the journal it writes") { try Journal(json: journal.json, path: "journal.json") }
      require(again == journal, "another journal")
      require(again.json == journal.json, "other bytes")
    } catch {
      _ = error.description
    }
    return true
  }

  static func record(_ bytes: [UInt8]) -> Bool {
    do throws(MigrationError) {
      let record = try RunRecord(json: bytes, path: "record.json")
      requireInside(record.files)
      let again = require("the record it writes") { try RunRecord(json: record.json, path: "record.json") }
      require(again == record, "another record")
      require(again.json == record.json, "other bytes")
      for field in record.fields { require(RunID(record.id.text) == record.id && field == field, "another id") }
    } catch {
      _ = error.description
    }
    return true
  }

  /// No path of a file, of a folder made for it or of a copy leads out, judged without the product's own judgement.
  private static func requireInside(_ files: [RecordedFile]) {
    for file in files {
      for path in [file.path] + file.folders { require(isInside(path), "a path that leads out: \(path)") }
      for folder in file.folders { require(file.path.hasPrefix(folder + "/"), "a folder beside the file: \(folder)") }
      for case .file(let name, _, let size, _) in [file.before, file.after] {
        require(isInside(name) && !name.utf8.contains(UInt8(ascii: "/")) && size >= 0, "a copy elsewhere: \(name)")
      }
    }
  }

  private static func isInside(_ path: String) -> Bool {
    let parts = Array(path.utf8).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.allSatisfy { part in
      !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8) && !part.contains(0)
    }
  }
}
