import ArgumentParser
import Carryover
import CarryoverRecipes
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

struct RecipeArgument: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The recipe to follow, by its id or the path of a recipe file, instead of the one that fits the container's keys; "
        + "carryover recipe lists them.",
      valueName: "recipe"), completion: CompletionScript.recipes)
  var recipe: [String] = []
  @OptionGroup var trust: TrustArgument
  @OptionGroup var parameters: ParameterArguments

  /// - Parameter removed: what cleanups in effect have removed.
  func recipe(for container: Container, removed: [KeyPlace: PropertyListValue]) throws -> Recipe {
    let named = try recipe.map(trust.named)
    let first = named.first ?? Recipe.detect(in: container, removed: removed).recipe
    return try ChosenRecipes(first: first, others: named.filter { $0 != first }).only(for: "cleanup")
  }
}

/// The recipes whose files are shown too, for a command that follows no recipe.
struct ShownFilesArgument: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Also show the files that this recipe file reads, whatever their names are. Repeatable.", valueName: "recipe"),
    completion: CompletionScript.recipes)
  var recipe: [String] = []

  var files: [StoreFile] {
    get throws {
      for name in recipe where !RecipePath.isPath(name) { _ = try TrustArgument.builtIn(name) }
      return try TrustArgument.files(of: recipe)
    }
  }
}

struct TrustArgument: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Trust the recipe file with this SHA-256 for this command, for example in CI: sha256:DIGEST. Repeatable.",
      valueName: "digest"))
  var trust: [DigestArgument] = []

  var words: [String] { trust.flatMap { ["--trust", "sha256:" + $0.digest] } }

  func named(_ name: String) throws -> Recipe {
    try RecipePath.isPath(name) ? RecipePath.recipe(at: name, pinned: Set(trust.map(\.digest))) : Self.builtIn(name)
  }

  /// The files that recipe files read, whatever their names are.
  static func files(of names: [String]) throws -> [StoreFile] {
    try names.filter(RecipePath.isPath).flatMap { try RecipePath.shown($0).files }
  }

  static func builtIn(_ name: String) throws -> Recipe {
    guard let recipe = Recipe(id: name) else {
      let known = Recipe.builtIn.map(\.reference.id).joined(separator: ", ")
      throw CommandFailure.usage(
        "There is no recipe “\(DisplayText.visible(name, limit: 60))”. Choose one of \(known), or name a recipe file: a path "
          + "with a slash or a dot.")
    }
    return recipe
  }
}

/// A SHA-256 on the command line: `sha256:` and 64 hexadecimal digits.
struct DigestArgument: ExpressibleByArgument {
  var digest: String

  init?(argument: String) {
    let prefix = "sha256:"
    guard argument.hasPrefix(prefix) else { return nil }
    digest = argument.dropFirst(prefix.count).lowercased()
    guard SHA256.isHexDigest(digest) else { return nil }
  }
}

struct ParameterArguments: ParsableArguments {
  @Option(
    name: [.customShort("P"), .customLong("parameter")],
    help: ArgumentHelp(
      "The value of a recipe's parameter, if the container does not show it: -P token=0123abcd, or for one of several "
        + "recipes -P RECIPE/token=0123abcd. Repeatable.",
      valueName: "name=value"))
  var given: [ParameterArgument] = []

  /// Of several values for one parameter, the last. `--write-key` stands for the parameter of that name.
  func values(_ target: TargetArguments) -> ParameterValues {
    var values = ParameterValues(values: Dictionary(given.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }))
    if let key = target.writeKey { values.values[RecipeParameter.writeKey.name] = key }
    return values
  }

  /// As on a command line; the write key aside, which has an option of its own.
  var texts: [String] { given.filter { $0.name != RecipeParameter.writeKey.name }.map(\.text) }
  var words: [String] { texts.flatMap { ["-P", $0] } }

  /// The words for a command, without write keys.
  /// - Parameter recipes: the recipes that the command names; nil if it names none.
  func words(for recipes: [Recipe]?) -> [String] {
    let own = given.filter { given in
      guard !ParameterValues.isWriteKey(given.name) else { return false }
      return recipes?.contains { recipe in
        RecipeParameter.values([given.name: ""], of: recipe.reference.id).keys.contains(where: recipe.takes)
      } ?? true
    }
    return own.flatMap { ["-P", $0.text] }
  }
}

struct ParameterArgument: ExpressibleByArgument {
  var name: String
  var value: String

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "=") else { return nil }
    name = String(argument[..<equals])
    value = String(argument[argument.index(after: equals)...])
  }

  var text: String { "\(name)=\(value)" }
}

/// Recipe files that the command line names. Carryover never looks for one by itself.
enum RecipePath {
  private static let ends = [".recipe.yaml", ".recipe.yml", ".recipe.json"]

  /// Whether an argument is a path, not the id of a recipe: an id has neither a slash nor a dot.
  static func isPath(_ argument: String) -> Bool { argument.contains { $0 == "/" || $0 == "." } }

  /// The file itself, or the recipe files in a folder, by name.
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

  /// One byte more than is allowed shows that the file is too large.
  static func bytes(of path: String) throws(FileSystemError) -> [UInt8] {
    try POSIXFileSystem().read(path, from: 0, count: RecipeLimits.bytes + 1)
  }

  static func read(_ path: String) throws -> (bytes: [UInt8], file: RecipeFile?, linted: LintedFile) {
    let bytes = try bytes(of: path)
    let (file, issues) = RecipeFile.read(bytes, vendors: vendors, beside: Recipe.builtIn)
    return (bytes, file, LintedFile(path: path, issues: issues))
  }

  /// The recipe as the file says it: to be read, not followed.
  static func shown(_ path: String) throws -> Recipe { try sound(path).file.recipe }

  static func said(_ name: String) throws -> Recipe {
    try isPath(name) ? shown(name) : TrustArgument.builtIn(name)
  }

  static func sound(_ path: String) throws -> (bytes: [UInt8], file: RecipeFile) {
    let (bytes, file, linted) = try read(path)
    guard let file else { throw CommandFailure(linted) }
    return (bytes, file)
  }

  /// The recipe as its plans, runs and reports name it: with its digest, so that no file can pass for another or for a
  /// built-in recipe. An opt-out that any built-in recipe knows counts for it too.
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
