import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverVendors

struct PlanningArguments: ParsableArguments {
  @OptionGroup var target: TargetArguments

  @Option(help: ArgumentHelp("The version of the new SDK that the app ships with.", valueName: "version"))
  var targetSDK: VersionArgument?

  @Flag(help: "Migrate a user who has opted out of tracking.")
  var allowOptedOut = false

  @Option(
    help: ArgumentHelp(
      "The recipe to follow, by its id or the path of a recipe file, instead of the one that the container's keys call "
        + "for; carryover recipe lists them. "
        + "Repeatable: one run applies all of them, and fields are named RECIPE/FIELD. all: every recipe for which the "
        + "container has evidence, except those that are followed only by name.",
      valueName: "recipe"), completion: CompletionScript.severalRecipes)
  var recipe: [String] = []
  @OptionGroup var trust: TrustArgument
  @OptionGroup var parameters: ParameterArguments
  @OptionGroup var live: LiveArguments

  var allowed: Set<FindingCode> { live.allowed.union(allowOptedOut ? [.consentOptedOut] : []) }

  var files: [StoreFile] { get throws { try TrustArgument.files(of: recipe) } }

  /// Whether the arguments are those of a batch.
  var isOfBatch = false

  var values: ParameterValues {
    let values = parameters.values(target)
    return isOfBatch ? values.forSeveral(recipe) : values.forOne(recipe)
  }

  /// - Parameters:
  ///   - needsKey: whether a missing write key is a usage error.
  ///   - omitsGaps: whether `--recipe all` leaves out a recipe with a missing value, because the verdicts say what is
  ///     missing; otherwise, that is a usage error.
  ///   - others: the values that the user gave for other recipes, named `RECIPE/NAME`.
  func prepared(
    _ opened: OpenedContainer, needsKey: Bool, omitsGaps: Bool = false, forOthers others: [String: String] = [:]
  ) throws -> PreparedPlan {
    let migrator = Edge.migrator(opened)
    let (container, values) = (opened.container, values)
    let removed = try migrator.removedByCleanups(in: container)
    let recipes = try recipes(for: container, removed: removed, omitsGaps: omitsGaps)
    if needsKey { try values.requireNaming(recipes.all, in: container) }
    let keys = others.filter { ParameterValues.isWriteKey($0.key) }
    let options = PlannerOptions(
      parameters: keys.merging(values.naming(recipes.all, in: container)) { $1 }, targetSDK: targetSDK?.version,
      removed: removed, allowed: allowed)
    return PreparedPlan(
      container: container, migrator: migrator, recipe: recipes.first, others: recipes.others, options: options,
      given: others.merging(values.forOthers) { $1 }, now: target.moment)
  }

  /// - Parameter removed: what cleanups in effect have removed.
  private func recipes(
    for container: Container, removed: [KeyPlace: PropertyListValue], omitsGaps: Bool
  ) throws -> ChosenRecipes {
    var chosen: [Recipe] = []
    for id in recipe {
      let named =
        try id == PlanChoices.allRecipes
        ? RecognisedKeys(container, of: Recipe.builtIn, removed: removed).followed.filter {
          !omitsGaps || (try? $0.filled(values.values, in: container)) != nil
        } : [trust.named(id)]
      for recipe in named where !chosen.contains(recipe) { chosen.append(recipe) }
    }
    if chosen.isEmpty { chosen = [Recipe.detect(in: container, removed: removed).recipe] }
    let filled = try values.fill(chosen, in: container)
    return ChosenRecipes(first: filled.first ?? chosen[0], others: Array(filled.dropFirst()))
  }

  /// The write key and where it is from, if it is neither given nor in the name of a file: "1xKey, from …".
  func inferredKey(of plan: Plan, in container: Container) -> String? {
    let isGiven = plan.recipes.contains {
      RecipeParameter.values(values.values, of: $0.id)[RecipeParameter.writeKey.name] != nil
    }
    guard !isGiven, container.bundleID != nil, container.writeKeys.isEmpty else { return nil }
    return plan.statedWriteKey(in: container).map { "\($0.key), from \($0.place)" }
  }

  /// The same arguments for a batch: Carryover plans the question and the run for the same moment, and uses a write key
  /// for one SDK only.
  var ofBatch: PlanningArguments {
    var planning = self
    planning.isOfBatch = true
    planning.target.now = target.now ?? MomentArgument(argument: Console.now.text)
    return planning
  }

  /// The words for a command line that names the recipes, without the recipes and the moment.
  func words(_ opened: OpenedContainer) throws -> [String] {
    var words: [String] = []
    let prepared = try prepared(opened, needsKey: false, omitsGaps: true)
    let keys = prepared.options.parameters
    if let key = keys[RecipeParameter.writeKey.name] {
      words += ["--write-key", key]
    } else {
      let names = Set(prepared.recipes.map { RecipeParameter.writeKey.of($0.reference.id).name })
      for (name, key) in keys.sorted(by: { $0.key < $1.key }) where names.contains(name) {
        words += ["-P", "\(name)=\(key)"]
      }
    }
    if let targetSDK { words += ["--target-sdk", targetSDK.version.description] }
    if allowOptedOut { words.append("--allow-opted-out") }
    if live.live { words.append("--live") }
    return words + parameters.words(for: prepared.recipes) + trust.words
  }

  /// The arguments of workers that plan in the same way; nil for several named recipes, which no worker follows.
  var workerArguments: [String]? {
    guard recipe.count <= 1 else { return nil }
    let now = target.now?.text ?? target.moment.text
    return target.workerArguments(now, recipe, trust, parameters, allowOptedOut: allowOptedOut)
  }

  func add(to command: inout ShellCommand) {
    command.add("--write-key", ifGiven: values.writeKey)
    command.add("--now", ifGiven: target.now?.text)
    command.add("--target-sdk", ifGiven: targetSDK?.text)
    command.add("--recipe", each: recipe)
    command.add("-P", each: parameters.texts)
    addPermissions(to: &command)
  }

  /// Adds the recipe files, whose content no saved plan has. It has the values of parameters.
  func addRecipeFiles(to command: inout ShellCommand) {
    command.add("--recipe", each: recipe.filter(RecipePath.isPath))
  }

  /// Adds what a saved plan does not say.
  func addPermissions(to command: inout ShellCommand) {
    command.add("--allow-opted-out", if: allowOptedOut)
    command.add("--live", if: live.live)
    command.add("--trust", each: trust.trust.map { "sha256:" + $0.digest })
  }
}

struct ChosenRecipes {
  var first: Recipe
  var others: [Recipe] = []

  var all: [Recipe] { [first] + others }

  func only(for command: String) throws -> Recipe {
    guard others.isEmpty else {
      let ids = all.map(\.reference.id).joined(separator: ", ")
      throw CommandFailure.usage("carryover \(command) follows one recipe: name one of \(ids) with --recipe.")
    }
    return first
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
  @Option(help: "The write key of the new SDK's source, which is in the name of the new SDK's file.")
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
      + (parameters.values(self).writeKey.map { ["--write-key", $0] } ?? [])
      + (allowOptedOut ? ["--allow-opted-out"] : [])
  }
}
