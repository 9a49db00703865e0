import Carryover
import CarryoverRecipes
import CarryoverSystem
import CarryoverVendors

/// Recipe files that the command line names. No file is ever looked for by itself, in a container or elsewhere.
enum RecipePath {
  /// The ends of the names of recipe files.
  private static let ends = [".recipe.yaml", ".recipe.yml", ".recipe.json"]

  /// Whether an argument is a path, not the id of a recipe: an id has neither a slash nor a dot.
  static func isPath(_ argument: String) -> Bool { argument.contains { $0 == "/" || $0 == "." } }

  /// The files at a path: the file itself, or the recipe files in a folder, by name.
  /// - Throws: a usage error if a folder has none, and `FileSystemError`.
  static func files(at path: String) throws -> [String] {
    let system = POSIXFileSystem()
    guard try system.status(path)?.kind == .directory else { return [path] }
    let names = try system.list(path).filter { name in ends.contains { name.hasSuffix($0) } }.sorted()
    guard !names.isEmpty else {
      throw CommandFailure.usage(
        "“\(DisplayText.visible(path))” has no recipe files, whose names end in \(ends.joined(separator: ", ")).")
    }
    return names.map { path.hasSuffix("/") ? path + $0 : path + "/" + $0 }
  }

  /// The content of a file in the YAML of recipes. One byte more than is allowed shows that it is too large.
  static func bytes(of path: String) throws(FileSystemError) -> [UInt8] {
    try POSIXFileSystem().read(path, from: 0, count: RecipeLimits.bytes + 1)
  }

  /// A file's content, its recipe, and what is wrong in it.
  static func read(_ path: String) throws -> (bytes: [UInt8], file: RecipeFile?, linted: LintedFile) {
    let bytes = try bytes(of: path)
    let (file, issues) = RecipeFile.read(bytes, vendors: vendors, beside: Recipe.builtIn)
    return (bytes, file, LintedFile(path: path, issues: issues))
  }

  /// The recipe in a file, as the file says it: to be read, not followed.
  /// - Throws: an error with the file's issues if it has errors.
  static func shown(_ path: String) throws -> Recipe { try sound(path).file.recipe }

  /// The recipe with an id, or in a file, as it says itself.
  /// - Throws: a usage error for an unknown id, and an error with the file's issues if it has errors.
  static func said(_ name: String) throws -> Recipe {
    try isPath(name) ? shown(name) : TrustArgument.builtIn(name)
  }

  /// A file without errors, and its content.
  /// - Throws: an error with the file's issues if it has errors.
  static func sound(_ path: String) throws -> (bytes: [UInt8], file: RecipeFile) {
    let (bytes, file, linted) = try read(path)
    guard let file else { throw CommandFailure(LintOutput(files: [linted]).lines.joined(separator: "\n"), .error) }
    return (bytes, file)
  }

  /// The recipe in a file, as its plans, runs and reports name it: with its digest, so that no file can pass for another
  /// or for a built-in recipe. An opt-out that any built-in recipe knows counts for it too.
  /// - Parameter pinned: digests of contents that count as trusted.
  /// - Throws: an error with the file's issues if it has errors, or if its id is a built-in recipe's.
  static func recipe(at path: String, pinned: Set<String> = []) throws -> Recipe {
    let (bytes, said) = try sound(path)
    var recipe = said.recipe
    guard Recipe(id: recipe.reference.id) == nil else {
      throw CommandFailure(
        "“\(DisplayText.visible(path))” has the id of a built-in recipe, \(recipe.reference.id). Give it an id of its own.",
        .error)
    }
    let digest = SHA256.hexDigest(bytes)
    recipe.origin = .file(path: path, isTrusted: pinned.contains(digest) || Edge.trusted.contains(digest))
    recipe.reference.digest = digest
    recipe.reference.title = "file \(digest.prefix(8)): \(recipe.reference.title)"
    return recipe.knowing(optOutsOf: Recipe.builtIn)
  }
}
