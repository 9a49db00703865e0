import Foundation
import Testing

/// The blocks of Swift in the articles are regions of this folder's sources, so they compile and are run.
///
/// A block belongs to the comment before it, `<!-- snippet: name -->`. `make snippets` puts the regions into the articles.
@Suite("The code in the articles")
struct ArticlesTests {
  @Test("every block of Swift in the articles is what is compiled and run here")
  func blocksAreCompiled() throws {
    let snippets = try Snippets.read()
    #expect(snippets.count > 10)
    var used: Set<String> = []
    for page in try Snippets.pages() {
      let text = try String(contentsOf: page, encoding: .utf8)
      let name = page.lastPathComponent
      let article = Article(text)
      // The README has blocks of its own that the command's tests look after.
      if page.pathExtension == "md", page.path.contains(".docc/") {
        #expect(article.blocksWithoutName == 0, "\(name): a block of Swift has no <!-- snippet: name --> before it")
      }
      for block in article.blocks {
        used.insert(block.name)
        let snippet = try #require(snippets[block.name], "\(name): there is no snippet “\(block.name)”")
        if block.code != snippet, Snippets.writes { continue }
        #expect(block.code == snippet, "\(name): “\(block.name)” is not what is compiled; run `make snippets`")
      }
      if Snippets.writes { try article.replacing(snippets).write(to: page, atomically: true, encoding: .utf8) }
    }
    #expect(used == Set(snippets.keys), "not shown anywhere: \(Set(snippets.keys).subtracting(used).sorted())")
  }
}

/// The named regions of this folder's sources.
private enum Snippets {
  static let writes = ProcessInfo.processInfo.environment["CARRYOVER_WRITE_SNIPPETS"] != nil
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
  private static let root = folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func read() throws -> [String: String] {
    var found: [String: String] = [:]
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    where file.lastPathComponent.hasSuffix("Snippets.swift") {
      var name: String?
      var lines: [String] = []
      for line in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n") {
        let word = line.trimmingCharacters(in: .whitespaces)
        if word.hasPrefix("// snippet: ") {
          name = String(word.dropFirst("// snippet: ".count))
          lines = []
        } else if word == "// end snippet", let ended = name {
          #expect(found[ended] == nil, "two snippets are called “\(ended)”")
          found[ended] = dedented(lines)
          name = nil
        } else if name != nil {
          lines.append(line)
        }
      }
    }
    return found
  }

  static func pages() throws -> [URL] {
    var pages = [root.appending(path: "README.md")]
    for module in ["Carryover", "CarryoverUserDefaults", "CarryoverEncryption"] {
      let catalogue = root.appending(path: "Sources/\(module)/\(module).docc")
      pages += try FileManager.default.contentsOfDirectory(at: catalogue, includingPropertiesForKeys: nil)
        .filter { $0.pathExtension == "md" }.sorted { $0.path < $1.path }
    }
    return pages
  }

  private static func dedented(_ lines: [String]) -> String {
    let depth = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(depth)) }.joined(separator: "\n")
  }
}

/// A page's lines, and the named blocks of Swift in them.
private struct Article {
  private let lines: [String]
  private(set) var blocks: [(name: String, code: String, range: Range<Int>)] = []
  private(set) var blocksWithoutName = 0

  init(_ text: String) {
    lines = text.components(separatedBy: "\n")
    var name: String?
    var index = 0
    while index < lines.count {
      let line = lines[index]
      if line.hasPrefix("<!-- snippet: "), line.hasSuffix(" -->") {
        name = String(line.dropFirst("<!-- snippet: ".count).dropLast(" -->".count))
      } else if line == "```swift" {
        let start = index + 1
        let end = lines[start...].firstIndex(of: "```") ?? lines.count
        if let name {
          blocks.append((name, lines[start..<end].joined(separator: "\n"), start..<end))
        } else {
          blocksWithoutName += 1
        }
        name = nil
        index = end
      } else if !line.isEmpty {
        name = nil
      }
      index += 1
    }
  }

  func replacing(_ snippets: [String: String]) -> String {
    var lines = lines
    for block in blocks.reversed() {
      if let code = snippets[block.name] {
        lines.replaceSubrange(block.range, with: code.components(separatedBy: "\n"))
      }
    }
    return lines.joined(separator: "\n")
  }
}
