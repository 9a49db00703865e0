// Reads recipe files from standard input, each in hexadecimal on a line, and prints one line of JSON for each: its
// value, or the codes, lines and columns of what is wrong. `Tests/Recipes` compares these with another YAML reader's.
import CarryoverRecipes
import PropertyLists

extension RecipeNode {
  /// The value with the type of every scalar: `["i", "42"]`.
  var json: JSONValue {
    switch content {
    case .text(let text): .array([.string("t"), .string(text)])
    case .integer(let text): .array([.string("i"), .string(text)])
    case .decimal(let text): .array([.string("d"), .string(text)])
    case .boolean(let flag): .array([.string("b"), .boolean(flag)])
    case .list(let items): .array([.string("l"), .array(items.map(\.json))])
    case .map(let entries):
      .array([.string("m"), .array(entries.map { .array([.string($0.key), $0.value.json]) })])
    }
  }
}

while let line = readLine() {
  let digits = Array(line.utf8)
  let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
    UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
  }
  let (root, issues) = RecipeReader.read(bytes)
  let told = issues.map { issue -> JSONValue in
    .array([.string(issue.code.rawValue), .string("\(issue.place.line):\(issue.place.column)"), .string(issue.message)])
  }
  print(JSONValue.array([root?.json ?? .null, .array(told)]).text())
}
