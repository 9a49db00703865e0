import Foundation
import Testing

/// The blocks of Swift in the articles, in the comments on declarations and in the recipes are regions of this folder's
/// sources, so they compile and are run. Those of a package's manifest are a region of the example's. A region may be in
/// two parts, an import and code in a function; the second is called `name, continued`.
///
/// A block belongs to the comment before it, `<!-- snippet: name -->`. `make record` puts the regions into the pages.
@Suite("The code in the articles")
struct ArticlesTests {
  @Test func `every block of Swift in the articles and in comments is what is compiled and run here`() throws {
    let snippets = try Snippets.read()
    #expect(snippets.count > 10)
    var used: Set<String> = []
    for page in try Snippets.pages() {
      let text = try String(contentsOf: page, encoding: .utf8)
      let name = page.lastPathComponent
      let article = Article(text, format: page.pathExtension)
      // The README has blocks of its own that the command's tests look after.
      if name != "README.md" {
        #expect(article.blocksWithoutName == 0, "\(name): a block of Swift has no <!-- snippet: name --> before it")
      }
      for block in article.blocks {
        used.insert(block.name)
        let snippet = try #require(snippets[block.name], "\(name): there is no snippet “\(block.name)”")
        if block.code != snippet, Snippets.writes { continue }
        #expect(block.code == snippet, "\(name): “\(block.name)” is not what is compiled; run `make record`")
      }
      if Snippets.writes, !article.blocks.isEmpty {
        try article.replacing(snippets).write(to: page, atomically: true, encoding: .utf8)
      }
    }
    #expect(used == Set(snippets.keys), "not shown anywhere: \(Set(snippets.keys).subtracting(used).sorted())")
  }
}

/// The named regions of this folder's sources.
private enum Snippets {
  static let writes = ProcessInfo.processInfo.environment["CARRYOVER_WRITE_SNIPPETS"] != nil
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
  private static let continued = ", continued"

  static func read() throws -> [String: String] {
    var found: [String: String] = [:]
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.lastPathComponent.hasSuffix("Snippets.swift") }
    for file in files + [packageRoot.appending(path: "Examples/EmbeddedApp/Package.swift")] {
      var name: String?
      var lines: [String] = []
      for line in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n") {
        let word = line.trimmingCharacters(in: .whitespaces)
        if word.hasPrefix("// snippet: ") {
          name = String(word.dropFirst("// snippet: ".count))
          lines = []
        } else if word == "// end snippet", let ended = name {
          let whole = ended.hasSuffix(continued) ? String(ended.dropLast(continued.count)) : ended
          let start = found[whole].map { $0 + "\n\n" } ?? ""
          #expect(start.isEmpty == (whole == ended), "two snippets are called “\(whole)”")
          found[whole] = start + dedented(lines)
          name = nil
        } else if name != nil {
          lines.append(line)
        }
      }
    }
    return found
  }

  /// The README, the articles, the documentation, the recipes, and the libraries' sources for the comments in them.
  static func pages() throws -> [URL] {
    let modules = [
      "Carryover", "CarryoverStorage", "CarryoverRouter", "CarryoverVendors", "CarryoverRestore",
      "CarryoverUserDefaults", "CarryoverEncryption", "PropertyLists",
    ].map { "Sources/\($0)" }
    return try [packageRoot.appending(path: "README.md")]
      + (modules + ["Documentation", "Recipes"]).flatMap { folder in
        try FileManager.default.subpathsOfDirectory(atPath: packageRoot.appending(path: folder).path)
          .filter { name in [".md", ".swift", ".yaml"].contains(where: name.hasSuffix) }.sorted()
          .map { packageRoot.appending(path: "\(folder)/\($0)") }
      }
  }

  private static func dedented(_ lines: [String]) -> String {
    let depth = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(depth)) }.joined(separator: "\n")
  }
}

/// A page's lines, and the named blocks of Swift in them. A source's page is what its comments on declarations say, a
/// recipe's is its texts, with the name in a comment above.
private struct Article {
  private let lines: [String]
  private let format: String
  private(set) var blocks: [(name: String, code: String, range: Range<Int>)] = []
  private(set) var blocksWithoutName = 0

  init(_ text: String, format: String) {
    self.format = format
    lines = text.components(separatedBy: "\n")
    let said = lines.map { Self.said(in: $0, format).text }
    var name: String?
    var index = 0
    while index < said.count {
      let line = said[index]
      if line.hasPrefix("<!-- snippet: "), line.hasSuffix(" -->") {
        name = String(line.dropFirst("<!-- snippet: ".count).dropLast(" -->".count))
      } else if line == "```swift" {
        let start = index + 1
        let end = said[start...].firstIndex(of: "```") ?? said.count
        if let name {
          blocks.append((name, said[start..<end].joined(separator: "\n"), start..<end))
        } else {
          blocksWithoutName += 1
        }
        name = nil
        index = end
      } else if !line.isEmpty, format != "yaml" {
        name = nil
      }
      index += 1
    }
  }

  func replacing(_ snippets: [String: String]) -> String {
    var lines = lines
    for block in blocks.reversed() {
      if let code = snippets[block.name] {
        let mark = Self.said(in: lines[block.range.lowerBound - 1], format).mark
        let blank = String(mark.reversed().drop { $0 == " " }.reversed())
        lines.replaceSubrange(
          block.range, with: code.components(separatedBy: "\n").map { $0.isEmpty ? blank : mark + $0 })
      }
    }
    return lines.joined(separator: "\n")
  }

  /// What a line says, and the mark before it.
  private static func said(in line: String, _ format: String) -> (mark: String, text: String) {
    let marks = ["swift": "/// ", "yaml": line.hasPrefix("#") ? "# " : "  "]
    guard let mark = marks[format] else { return ("", line) }
    let indent = format == "swift" ? String(line.prefix { $0 == " " }) : ""
    let text = line.dropFirst(indent.count)
    guard text.hasPrefix(mark.dropLast()) else { return ("", format == "swift" ? "code" : "") }
    return (indent + mark, String(text.dropFirst(mark.count)))
  }
}
