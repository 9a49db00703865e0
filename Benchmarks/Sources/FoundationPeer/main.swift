import Foundation
import Racing

enum FoundationPeer: Peer {
  static func read(_ path: String) throws -> (tree: Any, format: Format) {
    var format = PropertyListSerialization.PropertyListFormat.xml
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let tree = try PropertyListSerialization.propertyList(from: data, options: [], format: &format)
    return (tree, format == .binary ? .binary : .xml)
  }

  static func write(_ tree: Any, as format: Format) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: tree, format: format == .binary ? .binary : .xml, options: 0)
  }

  static func count(_ tree: Any, into tally: inout Tally) {
    tally.addValue()
    switch tree {
    case let text as String:
      tally.addText(text)
    case let dictionary as [String: Any]:
      for (key, value) in dictionary {
        tally.addText(key)
        count(value, into: &tally)
      }
    case let array as [Any]:
      for value in array {
        count(value, into: &tally)
      }
    case let data as Data:
      tally.addData(count: data.count)
    default:
      break
    }
  }
}

try FoundationPeer.run(CommandLine.arguments)
