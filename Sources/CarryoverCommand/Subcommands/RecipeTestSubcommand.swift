import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverRecipes
import CarryoverReview
import CarryoverSystem
import CarryoverVendors

struct RecipeTestSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Runs the tests in recipe files: plan, apply, plan again, roll back, compare.",
    discussion: "Exit status: 0 all tests passed, 1 a test failed, or a file has none.")

  enum Form: String, CaseIterable, ExpressibleByArgument {
    case text, json, junit, tap
  }

  @Argument(help: "Recipe files, or folders with them.", completion: .file())
  var path: [String]
  @Option(
    name: .customLong("case"),
    help: ArgumentHelp("Run only the tests with this name. Repeatable.", valueName: "name"))
  var cases: [String] = []
  @Option(help: "How to print: text, json (schema carryover.test/1), junit (XML) or tap (version 14).")
  var format = Form.text
  @Flag(help: "Print JSON: the same as --format json.") var json = false

  func run() throws {
    try reporting {
      let output = RecipeTestOutput(
        files: try path.flatMap(RecipePath.files).map { path in
          let file = try RecipePath.sound(path).file
          let chosen = file.tests.filter { cases.isEmpty || cases.contains($0.name) }
          let results = try chosen.map(RecipeTesting(file: file).run)
          return RecipeTestOutput.File(
            path: path, checks: results.isEmpty ? [.init(name: "tests", line: 1, problems: ["No tests."])] : results)
        })
      switch json ? .json : format {
      case .text: try printLines(output.lines)
      case .tap: try printLines(output.tap)
      case .json: try Console.printDocument(output.json)
      case .junit: try Console.printVerbatim(output.junit.joined(separator: "\n"))
      }
      guard output.files.flatMap(\.checks).allSatisfy(\.problems.isEmpty) else {
        throw ExitCode(ExitStatus.error.rawValue)
      }
    }
  }

  private func printLines(_ lines: [String]) throws {
    try Console.printVerbatim((Console.localeIsUTF8 ? lines : lines.map(Ink.ascii)).joined(separator: "\n"))
  }
}

/// Runs the tests of a recipe file, each on a container in a private folder.
struct RecipeTesting {
  let file: RecipeFile
  // The folder of a test is removed after it.
  private let files = POSIXFileSystem(isDurable: false)

  /// Plans the test's container and compares the plan. If an apply with the test's decisions would write something,
  /// applies, plans again, rolls back, and compares every byte.
  func run(_ test: RecipeTest) throws -> RecipeTestOutput.Check {
    let folder = try PrivateFolder()
    defer { folder.remove() }
    var result = RecipeTestOutput.Check(name: test.name, line: test.place.line)
    do {
      _ = try run(test, in: folder.path, &result.problems)
    } catch {
      result.problems.append(CommandFailure(error).sentence)
    }
    return result
  }

  /// - Returns: the plan of the test's container.
  func run(_ test: RecipeTest, in folder: String, _ problems: inout [String]) throws -> Plan {
    let root = FilePath.join(folder, "Data")
    try write(test.given, below: root)
    var options = ContainerOptions(bundleID: test.bundleID, stateDirectory: FilePath.join(folder, "State"))
    options.files += file.recipe.files
    let opener = ContainerOpener(fileSystem: files)
    let container = try opener.open(root, options: options)
    let recipe = try filled(for: test, container)
    // A key for runs that are removed with their folder.
    let key: any StateKeySource = StateKey(StateKey.random()) ?? Edge.key
    let migrator = Migrator(fileSystem: files, toolVersion: Version.text, key: key, now: { test.now })
    let plan = try migrator.plan(container, with: recipe, now: test.now, options: test.options)
    problems = test.problems(of: plan)
    guard problems.isEmpty, !test.isHeldUp(plan), !plan.changes(test.decisions).isEmpty else { return plan }
    let paths = plan.targets.map(\.path) + test.given.keys.map(\.text)
    let before = try bytes(paths, below: root)
    _ = try migrator.apply(plan, decisions: test.decisions, in: container)
    let applied = try opener.open(root, options: options)
    let again = try migrator.plan(applied, with: recipe, now: test.now, options: test.options)
    if !again.changes(test.decisions).isEmpty { problems.append("A second apply would write something.") }
    _ = try migrator.rollback(in: applied)
    if try bytes(paths, below: root) != before { problems.append("After the rollback, a file differs.") }
    return plan
  }

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
      try durable.makeFolders(FilePath.folder(of: file))
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
}

struct RecipeTestOutput {
  struct File {
    var path: String
    var checks: [Check]
  }

  /// A test, or that the file has one.
  struct Check {
    var name: String
    var line: Int
    /// Sentences.
    var problems: [String] = []
  }

  var files: [File]

  var lines: [String] {
    files.flatMap { file -> [String] in
      let path = DisplayText.visible(file.path)
      let checks = file.checks.flatMap { check in
        let sign = (check.problems.isEmpty ? Sign.done : .error).text(ascii: !Console.localeIsUTF8)
        return ["  \(sign) \(DisplayText.harmless(check.name))"]
          + check.problems.map { "      \(path):\(check.line): \(DisplayText.harmless($0))" }
      }
      let failed = file.checks.count { !$0.problems.isEmpty }
      return [path] + checks + ["  \(file.checks.count - failed) passed, \(failed) failed."]
    }
  }

  /// The Test Anything Protocol, whose texts have no line ends and no `#`.
  var tap: [String] {
    let checks = files.flatMap { file in file.checks.map { (file.path, $0) } }
    func text(_ text: String) -> String { DisplayText.harmless(text).replacing("#", with: "\\#") }
    return ["TAP version 14", "1..\(checks.count)"]
      + checks.enumerated().flatMap { index, item in
        ["\(item.1.problems.isEmpty ? "ok" : "not ok") \(index + 1) - \(text(item.1.name))"]
          + item.1.problems.map { "# \(text("\(item.0):\(item.1.line): \($0)"))" }
      }
  }

  var junit: [String] {
    JUnit.lines(
      files.map { file in
        JUnit.Suite(
          name: file.path,
          cases: file.checks.map { check in
            let lines = check.problems.map { "\(file.path):\(check.line): \($0)" }
            return JUnit.Case(
              name: check.name, className: file.path,
              result: check.problems.first.map { .failed(message: $0, lines: lines) } ?? .passed)
          })
      })
  }

  var json: JSONValue {
    let checks = files.flatMap(\.checks)
    let failed = checks.count { !$0.problems.isEmpty }
    return .object([
      "schema": "carryover.test/1", "passed": checks.count - failed, "failed": failed,
      "files": files.map { JSONValue.object(["path": $0.path, "tests": $0.checks.map(Self.value)]) },
    ])
  }

  private static func value(_ check: Check) -> JSONValue {
    .object([
      "name": check.name, "line": check.line, "passed": check.problems.isEmpty,
      "problems": check.problems.map { JSONValue.object(["line": check.line, "message": $0]) },
    ])
  }
}
