import Carryover
import CarryoverContainers
import CarryoverRecipes
import CarryoverSystem
import CarryoverVendors
import PropertyLists

/// Runs the tests of a recipe file on containers made for them, each in a private folder.
struct RecipeTesting {
  let file: RecipeFile
  // The folder of a test is removed after it.
  private let files = POSIXFileSystem(isDurable: false)

  init(_ file: RecipeFile) { self.file = file }

  /// Makes the test's container, plans it and compares the plan. If an apply with the test's decisions would write
  /// something, also applies it, plans again, rolls back, and compares every byte.
  /// - Throws: `FileSystemError` if the private folder cannot be made.
  func run(_ test: RecipeTest) throws -> RecipeTestReport.Result {
    let folder = try PrivateFolder()
    defer { folder.remove() }
    var result = RecipeTestReport.Result(test: test)
    do {
      try run(test, in: folder.path, &result)
    } catch {
      result.problems.append(CommandFailure(error).sentence)
    }
    return result
  }

  private func run(_ test: RecipeTest, in folder: String, _ result: inout RecipeTestReport.Result) throws {
    let root = FilePath.join(folder, "Data")
    try write(test.given, below: root)
    var options = ContainerOptions(bundleID: test.bundleID, stateDirectory: FilePath.join(folder, "State"))
    options.files += file.recipe.files
    let opener = ContainerOpener(fileSystem: files)
    let container = try opener.open(root, options: options)
    let recipe = try filled(for: test, container)
    let migrator = Migrator(
      fileSystem: files, toolVersion: Version.text, key: Self.key, now: { test.now })
    let plan = try migrator.plan(container, with: recipe, now: test.now, options: test.options)
    result.plan = plan
    result.problems = test.problems(of: plan)
    guard result.problems.isEmpty, !test.isHeldUp(plan), !plan.changes(test.decisions).isEmpty else { return }
    let paths = plan.targets.map(\.path) + test.given.keys.map(\.text)
    let before = try bytes(paths, below: root)
    _ = try migrator.apply(plan, decisions: test.decisions, in: container)
    let applied = try opener.open(root, options: options)
    let again = try migrator.plan(applied, with: recipe, now: test.now, options: test.options)
    if !again.changes(test.decisions).isEmpty { result.problems.append("A second apply would write something.") }
    _ = try migrator.rollback(in: applied)
    if try bytes(paths, below: root) != before { result.problems.append("After the rollback, a file differs.") }
  }

  /// The recipe with the test's parameters, or those that the test's keys show.
  private func filled(for test: RecipeTest, _ container: Container) throws -> Recipe {
    let names = Set(file.recipe.parameters.map(\.name))
    let values = test.parameters.filter { names.contains($0.key) }
    return try ParameterValues(values: values).fill(file.recipe, in: container)
      .asTested(beside: Recipe.builtIn)
  }

  private func write(_ given: [StringByBytes: RecipeTest.GivenFile], below root: String) throws {
    var durable = DurableFiles(files)
    try durable.makeFolders(FilePath.join(root, "Library/Preferences"))
    for (path, content) in given {
      let file = FilePath.join(root, path.text)
      try durable.makeFolders(DurableFiles.folder(of: file))
      try durable.write(bytes(of: content, at: path.text), to: file)
    }
  }

  private func bytes(of content: RecipeTest.GivenFile, at path: String) throws -> [UInt8] {
    switch content {
    case .propertyList(let root): return try PropertyListDocument.encode(root, as: .binary)
    case .archive(let root): return try KeyedArchive.encode(root)
    case .text(let text): return Array(text.utf8)
    case .database(let tables):
      // The columns are named as the recipe names them.
      let known = file.recipe.files.filter { $0.path.matches(path) }.compactMap(\.table)
      let written = tables.map { name, rows in
        (known.first { $0.name == name } ?? KeyValueTable(name, key: "key", value: "value"), rows)
      }
      guard let bytes = KeyValueTables.bytes(of: written) else {
        throw CommandFailure("The database \(DisplayText.quoted(path)) of the test could not be made.", .error)
      }
      return bytes
    }
  }

  private func bytes(_ paths: [String], below root: String) throws -> [StringByBytes: [UInt8]] {
    try paths.reduce(into: [StringByBytes: [UInt8]]()) { found, path in
      let file = FilePath.join(root, path)
      if try files.status(file) != nil { found[path] = try files.read(file, limit: 64 << 20).bytes }
    }
  }

  /// A key for runs that are gone with their folder.
  private static var key: any StateKeySource {
    StateKey((0..<StateKey.length).map { _ in UInt8.random(in: .min ... .max) }) ?? Edge.key
  }
}
