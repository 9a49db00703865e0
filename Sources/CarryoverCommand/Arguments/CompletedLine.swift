import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverSystem
import CarryoverVendors

/// A command line whose last word a shell completes. It only reads, prints nothing, and gives up on what takes
/// long to read.
struct CompletedLine {
  /// The arguments in front of the word, subcommands aside.
  private let arguments: [String]
  /// The word, as far as it is typed.
  private let typed: String

  init(_ words: [String]) {
    arguments = words.dropLast()
    typed = words.last ?? ""
  }

  /// The fields of the plan; those of all built-in recipes if no container can be planned yet.
  func fields() throws -> [Field.ID] { (try? plan().fields.map(\.id)) ?? Self.builtInFields }

  /// What can be rolled back.
  func rollback() throws -> RollbackPlan {
    let line = try line()
    let opened = try opened(line)
    return try Edge.migrator(opened).rollbackPlan(in: opened.container, runID: line.run)
  }

  /// What can be removed.
  func cleanup() throws -> CleanupPlan {
    let line = try line()
    let opened = try opened(line)
    return Planner(try line.planning.recipes(for: opened).first).cleanupPlan(
      opened.container, now: line.planning.target.moment, options: try line.planning.knownOptions(opened))
  }

  /// The runs of the container.
  func history() throws -> RunListing {
    let opened = try opened(line())
    return try Edge.migrator(opened).history(of: opened.container)
  }

  /// The containers to choose from.
  func candidates() throws -> [ContainerCandidate] { try candidates(at: line().container.path) }

  /// The containers in the archive or the backup whose path is typed, by the path that is typed.
  func pathsInside() throws -> [String] {
    guard let slash = typed.lastIndex(of: "/"), slash > typed.startIndex else { return [] }
    let place = String(typed[..<slash])
    let files = POSIXFileSystem()
    let isFolder = (try? files.status(files.resolve(place)))?.kind == .directory
    // A folder is searched only if it is a device backup: otherwise the shell shows what is in it.
    guard !isFolder || (try? files.status(FilePath.join(place, "Manifest.db"))) != nil else { return [] }
    return try candidates(at: place).map(\.path).filter { !$0.isEmpty && $0 != "." }.map { place + "/" + $0 }
  }

  /// The recipe that the first argument names.
  func recipe() throws -> Recipe { try RecipePath.said(arguments.first ?? "") }

  private func plan() throws -> Plan {
    let line = try line()
    let opened = try opened(line)
    return try line.planning.plan(opened, options: line.planning.knownOptions(opened))
  }

  private func candidates(at path: String) throws -> [ContainerCandidate] {
    try opener.containers(at: path).candidates
  }

  private func opened(_ line: Line) throws -> OpenedContainer {
    var options = try line.container.options()
    options.selection = try line.container.choosing.selection()
    options.files += try line.planning.files
    return try opener.opened(line.container.path, options: options)
  }

  private var opener: ContainerOpener {
    ContainerOpener(
      fileSystem: POSIXFileSystem(),
      observer: OpeningObserver { ($0.total ?? $0.done) <= ($0.stage == .archive ? Self.mostBytes : Self.mostFiles) })
  }

  private func line() throws -> Line { try Line.parse(arguments) }

  /// About what is read in a second, the longest that a person waits for a list.
  private static let mostBytes = 128 << 20
  private static let mostFiles = 100_000

  /// The names of all fields, alone and with their recipe. A name with a parameter is complete only in a plan.
  private static var builtInFields: [String] {
    let names = Recipe.builtIn.flatMap { recipe in
      recipe.rules.map(\.target).filter { !$0.utf8.contains(UInt8(ascii: "$")) }
        .flatMap { [$0, FieldOwner.name($0, of: recipe.reference.id)] }
    }
    return Set(names).sorted()
  }

  /// The options that say which container and which run are meant, of any subcommand.
  private struct Line: ParsableArguments {
    @OptionGroup var container: ContainerArguments
    @OptionGroup var planning: PlanningArguments
    @OptionGroup var deciding: DecisionArguments
    @OptionGroup var saving: SavingArguments
    @OptionGroup var printing: PrintingArguments
    @Option(name: .customLong("run")) var run: String?
    @Argument(parsing: .allUnrecognized) var others: [String] = []
  }
}
