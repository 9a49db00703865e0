import PropertyLists
import Racing

enum CarryoverPeer: Peer {
  static func read(_ path: String) throws -> (tree: PropertyListValue, format: Format) {
    let bytes = try readFile(path)
    return (try PropertyListDocument(bytes: bytes).root, Format(of: bytes))
  }

  static func write(_ tree: PropertyListValue, as format: Format) throws -> [UInt8] {
    try PropertyListDocument.encode(tree, as: format == .binary ? .binary : .xml)
  }

  static func count(_ tree: PropertyListValue, into tally: inout Tally) {
    tally.addValue()
    switch tree {
    case .string(let text):
      tally.addText(text)
    case .dictionary(let dictionary):
      for entry in dictionary.entries {
        tally.addText(entry.key)
        count(entry.value, into: &tally)
      }
    case .array(let array):
      for value in array {
        count(value, into: &tally)
      }
    case .data(let data):
      tally.addData(count: data.count)
    default:
      break
    }
  }
}

try CarryoverPeer.run(CommandLine.arguments)
