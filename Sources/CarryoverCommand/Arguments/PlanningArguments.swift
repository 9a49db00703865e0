import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverReview
import CarryoverSystem
import CarryoverVendors

struct PlanningArguments: ParsableArguments {
  @OptionGroup var target: TargetArguments

  @Option(help: ArgumentHelp("The version of the new SDK that the app ships with.", valueName: "version"))
  var targetSDK: VersionArgument?

  @Flag(help: "Migrate a user who has opted out of tracking.")
  var allowOptedOut = false

  @OptionGroup var recipeChoice: RecipesArgument
  @OptionGroup var live: LiveArguments

  var allowed: Set<FindingCode> { live.allowed.union(allowOptedOut ? [.consentOptedOut] : []) }

  var files: [StoreFile] { get throws { try TrustArgument.files(of: recipeChoice.recipe) } }

  func plan(_ opened: OpenedContainer) throws -> Plan {
    try plan(opened, options: options(opened.container, recipes(for: opened)))
  }

  func plan(_ opened: OpenedContainer, options: PlannerOptions) throws -> Plan {
    let recipes = try recipes(for: opened)
    return try Edge.migrator(opened).plan(
      opened.container, with: recipes.first, and: recipes.others, now: target.moment, options: options)
  }

  func recipes(for opened: OpenedContainer) throws -> ChosenRecipes {
    let removed = try Edge.migrator(opened).removedByCleanups(in: opened.container)
    return try recipeChoice.recipes(for: opened.container, removed: removed)
  }

  func options(_ container: Container, _ recipes: ChosenRecipes) throws -> PlannerOptions {
    var parameters: [String: String] = [:]
    for recipe in recipes.all {
      parameters.merge(try Self.parameters(target.writeKey, container, recipe)) { first, _ in first }
    }
    return PlannerOptions(parameters: parameters, targetSDK: targetSDK?.version, allowed: allowed)
  }

  /// Without a write key, the plan says that it is missing.
  func knownOptions(_ opened: OpenedContainer) throws -> PlannerOptions {
    guard target.writeKey == nil, opened.container.writeKeys.count != 1 else {
      return try options(opened.container, recipes(for: opened))
    }
    return PlannerOptions(parameters: [:], targetSDK: targetSDK?.version, allowed: allowed)
  }

  /// As words of a command line; recipe and moment aside.
  func words(_ opened: OpenedContainer) throws -> [String] {
    var words: [String] = []
    if let key = try knownOptions(opened).parameters[PlannerOptions.writeKeyParameter] {
      words += ["--write-key", key]
    }
    if let targetSDK { words += ["--target-sdk", targetSDK.version.description] }
    if allowOptedOut { words.append("--allow-opted-out") }
    if live.live { words.append("--live") }
    words += recipeChoice.parameters.words
    return words + recipeChoice.trust.words
  }

  /// The arguments of workers that plan in the same way; nil for several recipes, which no worker follows.
  var workerArguments: [String]? {
    let recipes = recipeChoice.recipe
    guard recipes.count <= 1, recipes.first != PlanChoices.allRecipes else { return nil }
    let now = target.now?.text ?? target.moment.text
    return target.workerArguments(
      now, recipes, recipeChoice.trust, recipeChoice.parameters, allowOptedOut: allowOptedOut) + ["--earlier-runs"]
  }

  /// The given write key, or the only one that the container has a suite for; empty if the target needs none.
  static func parameters(_ writeKey: String?, _ container: Container, _ recipe: Recipe) throws -> [String: String] {
    let parameter = PlannerOptions.writeKeyParameter
    if let writeKey {
      guard Container.isValidParameter(writeKey) else {
        throw CommandFailure.usage("“\(writeKey)” cannot be a write key: it is part of a file name.")
      }
      return [parameter: writeKey]
    }
    guard container.bundleID != nil, recipe.target.parameters.contains(parameter) else { return [:] }
    let keys = recipe.target.values(of: parameter, in: container)
    guard keys.count <= 1 else {
      throw CommandFailure.usage(
        "The container has suites of several write keys (\(keys.prefix(8).joined(separator: ", "))\(keys.count > 8 ? " and \(keys.count - 8) more" : "")); choose one with --write-key."
      )
    }
    guard let only = keys.first else {
      // Without legacy values, nothing is written whatever the key is.
      let plan = Planner(recipe).plan(container, now: Moment(millisecondsSince1970: 0))
      if plan.containerFindings.contains(where: { $0.code == .sourceNotFound }) { return [:] }
      throw CommandFailure.usage(
        "The write key is missing: the container has no suite of the new SDK yet. Give your source's with --write-key; carryover browse shows the stores without it."
      )
    }
    return [parameter: only]
  }

  func add(to command: inout ShellCommand) {
    command.add("--write-key", ifGiven: target.writeKey)
    command.add("--now", ifGiven: target.now?.text)
    command.add("--target-sdk", ifGiven: targetSDK?.text)
    command.add("--recipe", each: recipeChoice.recipe)
    command.add("-P", each: recipeChoice.parameters.given.map(\.text))
    addPermissions(to: &command)
  }

  /// Adds the recipe files, whose content no saved plan has.
  func addRecipeFiles(to command: inout ShellCommand) {
    command.add("--recipe", each: recipeChoice.recipe.filter(RecipePath.isPath))
    command.add("-P", each: recipeChoice.parameters.given.map(\.text))
  }

  /// Adds what a saved plan does not say.
  func addPermissions(to command: inout ShellCommand) {
    command.add("--allow-opted-out", if: allowOptedOut)
    command.add("--live", if: live.live)
    command.add("--trust", each: recipeChoice.trust.trust.map { "sha256:" + $0.digest })
  }
}

struct MomentArgument: ExpressibleByArgument {
  var moment: Moment
  let text: String

  init?(argument: String) {
    text = argument
    if let seconds = Int64(argument) {
      moment = Moment(secondsSince1970: seconds)
    } else if let moment = Moment(iso8601: argument) {
      self.moment = moment
    } else {
      return nil
    }
  }
}

struct VersionArgument: ExpressibleByArgument {
  var version: SDKVersion
  let text: String

  init?(argument: String) {
    text = argument
    guard let version = SDKVersion(argument) else { return nil }
    self.version = version
  }
}

struct TargetArguments: ParsableArguments {
  @Option(help: "The write key of the new SDK's source, which the target file's name contains.")
  var writeKey: String?

  @Option(
    help: ArgumentHelp(
      "The moment to plan for, instead of now: 2025-11-20T12:05:00Z, or seconds since 1970.", valueName: "time"))
  var now: MomentArgument?

  var moment: Moment { now?.moment ?? Console.now }

  /// The arguments that make this program a worker of an audit.
  func workerArguments(
    _ now: String, _ recipes: [String], _ trust: TrustArgument, _ parameters: ParameterArguments, allowOptedOut: Bool
  ) -> [String] {
    ["audit", "run", "--worker", "--now", now] + recipes.flatMap { ["--recipe", $0] } + trust.words + parameters.words
      + (writeKey.map { ["--write-key", $0] } ?? []) + (allowOptedOut ? ["--allow-opted-out"] : [])
  }
}
