import ArgumentParser
import CarryoverRecipes
import CarryoverSystem
import CarryoverVendors
import PropertyLists

struct RecipeFormatSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fmt",
    abstract:
      "Formats recipe files: keys in the schema's order, two spaces a level, no needless quotes around simple text.",
    discussion: """
      Comments are kept. A file is replaced only if it is the same recipe afterwards. Prints the path of each file that \
      changes. Exit status: 0 done, 1 a file would change with --check, or something failed.
      """)

  @Argument(help: "Recipe files, or folders with them.", completion: .file())
  var path: [String]
  @Flag(help: "Write nothing; exit status 1 if a file would change.") var check = false

  func run() throws {
    try reporting {
      guard let schema = try? JSONText(String(decoding: PackageResources.recipe_1_json, as: UTF8.self)).value else {
        throw CommandFailure("The schema of recipe files cannot be read.", .error)
      }
      let formatter = RecipeFormatter(schema: schema)
      // Everything is laid out before anything is written.
      var seen: Set<String> = []
      let named = try path.flatMap(RecipePath.files).filter { seen.insert($0).inserted }
      let changes = try named.compactMap { try FormattedFile($0, formatter) }
      for change in changes {
        if !check { try change.write() }
        try Console.print(change.path)
      }
      guard !check || changes.isEmpty else { throw ExitCode(ExitStatus.error.rawValue) }
    }
  }
}

/// A file that a layout changes.
private struct FormattedFile {
  let path: String
  private let old: [UInt8]
  private let new: [UInt8]

  /// Nil if the layout does not change the file.
  /// - Throws: an error with the file's issues if it has errors.
  init?(_ path: String, _ formatter: RecipeFormatter) throws {
    let bytes = try RecipePath.sound(path).bytes
    guard let new = formatter.recipe(bytes, vendors: vendors) else {
      throw CommandFailure(
        "“\(DisplayText.visible(path))” was not changed: after formatting, it would not be the same recipe with the same "
          + "comments. JSON cannot have comments, and a line has at most \(RecipeLimits.lineBytes) bytes.", .error)
    }
    guard new != bytes else { return nil }
    (self.path, old, self.new) = (path, bytes, new)
  }

  func write() throws { try RecipePath.replace(path, old, with: new) }
}
