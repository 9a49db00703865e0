import Carryover
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import PropertyLists

/// The values that the command line gives to recipes' parameters.
struct ParameterValues {
  var values: [String: String]
  /// Whether several containers are planned, each by the recipe that its keys call for.
  private var areForSeveral = false
  /// The recipes that accept values although no plan follows them; empty if the user named the recipes.
  private var callable: [Recipe] = []

  init(values: [String: String]) { self.values = values }

  /// The same values for one container. Unless the user names a recipe, the container's keys call for one. Other SDKs
  /// that left data there get a verdict, with the values that are given by their recipes' names.
  /// - Parameter recipes: the recipes that the user named.
  func forOne(_ recipes: [String]) -> ParameterValues {
    var one = self
    one.callable = PlanChoices.callable(under: recipes)
    return one
  }

  /// The same values for several containers. Unless the user names a recipe, several SDKs may have left data in them, and
  /// a write key without a recipe's name is RudderStack's.
  /// - Parameter recipes: the recipes that the user named.
  func forSeveral(_ recipes: [String]) -> ParameterValues {
    var several = forOne(recipes)
    guard !several.callable.isEmpty else { return self }
    several.areForSeveral = true
    guard let key = several.values.removeValue(forKey: RecipeParameter.writeKey.name) else { return several }
    for recipe in Recipe.builtIn
    where Self.ownsUnnamedKey(recipe) && (!recipe.isOnlyByName || recipes.contains(recipe.reference.id)) {
      let name = RecipeParameter.writeKey.of(recipe.reference.id).name
      several.values[name] = several.values[name] ?? key
    }
    return several
  }

  private static func ownsUnnamedKey(_ recipe: Recipe) -> Bool { recipe.target == Recipe.rudderStackObjC.target }

  /// The one that is given for no recipe by name.
  var writeKey: String? { values[RecipeParameter.writeKey.name] }

  /// The values for recipes that no plan follows. If the user named recipes, values without a recipe's name are for
  /// these only.
  var forOthers: [String: String] {
    callable.isEmpty ? values.filter { RecipeParameter.owner(of: $0.key) != nil } : values
  }

  /// Recipes with all their parameters, except the write key: see ``naming(_:in:)``.
  /// - Throws: a gap, or a usage error for a value that is not valid, or of no parameter.
  func fill(_ recipes: [Recipe], in container: Container) throws -> [Recipe] {
    try check(for: callable + recipes)
    return try recipes.map { try filled($0, in: container) }
  }

  func fill(_ recipe: Recipe, in container: Container) throws -> Recipe {
    try fill([recipe], in: container).first ?? recipe
  }

  /// The recipe with these values; other parameters stay.
  func fill(_ recipe: Recipe) throws -> Recipe {
    try check(for: [recipe])
    return recipe.filled(values)
  }

  func check(for recipes: [Recipe]) throws {
    let keyed = recipes.filter { $0.target.parameters.contains(RecipeParameter.writeKey.name) }
    let parameters =
      recipes.flatMap { recipe in recipe.parameters + recipe.parameters.map { $0.of(recipe.reference.id) } }
      + [.writeKey] + keyed.map { RecipeParameter.writeKey.of($0.reference.id) }
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      let known = parameters.filter { $0.name == name }
      guard !known.isEmpty else {
        throw CommandFailure.usage("-P \(DisplayText.visible(name, limit: 60)): no recipe here has such a parameter.")
      }
      guard let parameter = known.first(where: { !$0.accepts(value) }) else { continue }
      throw CommandFailure.usage(
        Self.isWriteKey(name)
          ? value == RecipeParameter.unknownWriteKey
            ? Self.keyAdvice
            : "“\(DisplayText.visible(value, limit: 60))” cannot be a write key: it is part of a file name."
          : "-P \(name): this is not a valid \(DisplayText.visible(parameter.title)).")
    }
  }

  /// The write keys that name the recipes' targets. Each SDK has its own: the given one, the only one that the container
  /// has a file for, or, without a file, the one that the SDK's legacy files state. Without it, the plan says that it is
  /// missing. If the recipes write to several SDKs, the names of the values begin with the recipes' ids.
  func naming(_ recipes: [Recipe], in container: Container) -> [String: String] {
    let name = RecipeParameter.writeKey.name
    let destinations = Self.destinations(of: recipes)
    // The verdicts on other SDKs use the write keys of recipes that the plan does not follow.
    var named = callable.isEmpty ? [:] : values.filter { Self.isWriteKey($0.key) && $0.key != name }
    if destinations.count < 2, let writeKey, !recipes.contains(where: { given(for: $0) != nil }) {
      named[name] = writeKey
      return named
    }
    for recipes in destinations {
      guard let key = recipes.lazy.compactMap({ given(for: $0) }).first ?? key(of: recipes, in: container) else {
        continue
      }
      guard destinations.count > 1 else {
        named[name] = key
        return named
      }
      for recipe in recipes { named[RecipeParameter.writeKey.of(recipe.reference.id).name] = key }
    }
    return named
  }

  /// - Throws: a usage error if nothing shows which SDK the given write key belongs to, or if two are given for one SDK.
  func requireOwner(among recipes: [Recipe], in container: Container) throws {
    let destinations = Self.destinations(of: recipes)
    for recipes in destinations where Set(recipes.compactMap { given(for: $0) }).count > 1 {
      throw CommandFailure.usage(
        "\(ValueWording.joined(recipes.map(\.reference.id))) write to the file of one SDK, which has one write key. Give the same to each."
      )
    }
    guard container.bundleID != nil, destinations.count > 1, let writeKey,
      !naming(recipes, in: container).values.contains(where: { $0.hasSameBytes(as: writeKey) })
    else { return }
    let own = destinations.map { Self.namedKeyOption($0[0]) }
    throw CommandFailure.usage(
      "The recipes write files of several SDKs, and nothing shows whose write key --write-key is. Give each SDK's own instead: \(own.joined(separator: " "))."
    )
  }

  /// - Throws: a usage error if the write key that names a target is unknown, or if nothing shows which SDK the given one
  ///   belongs to.
  func requireNaming(_ recipes: [Recipe], in container: Container) throws {
    guard container.bundleID != nil else { return }
    try requireOwner(among: recipes, in: container)
    let (name, named) = (RecipeParameter.writeKey.name, naming(recipes, in: container))
    let destinations = Self.destinations(of: recipes)
    for recipe in destinations.flatMap(\.self)
    where RecipeParameter.values(named, of: recipe.reference.id)[name] == nil {
      let option =
        areForSeveral && !Self.ownsUnnamedKey(recipe)
        ? Self.namedKeyOption(recipe) : Self.keyOption(of: recipe, among: recipes)
      let keys = recipe.target.values(of: name, in: container)
      guard keys.count <= 1 else {
        throw CommandFailure.usage(
          "The new SDK has files for several write keys (\(keys.prefix(8).joined(separator: ", "))\(keys.count > 8 ? " and \(keys.count - 8) more" : "")); choose one with \(option)."
        )
      }
      // Without legacy values, nothing is written whatever the key is.
      let plan = Planner(recipe).plan(container, now: Moment(millisecondsSince1970: 0))
      guard !plan.containerFindings.contains(where: { $0.code == .sourceNotFound }) else { continue }
      throw CommandFailure.usage(
        "The write key is missing: the container has no file of the new SDK yet. Give your source's with \(option); carryover browse shows the stores without it."
      )
    }
  }

  /// The recipes whose targets a write key names, by target: those that write the same file write to the same SDK.
  private static func destinations(of recipes: [Recipe]) -> [[Recipe]] {
    let keyed = recipes.filter { $0.target.parameters.contains(RecipeParameter.writeKey.name) }
    return keyed.map(\.target).distinct { $0 }.map { target in keyed.filter { $0.target == target } }
  }

  /// The option that gives one of several recipes its write key.
  static func keyOption(of recipe: Recipe, among recipes: [Recipe]) -> String {
    destinations(of: recipes).count > 1 ? namedKeyOption(recipe) : "--write-key"
  }

  private static func namedKeyOption(_ recipe: Recipe) -> String {
    "-P \(RecipeParameter.writeKey.of(recipe.reference.id).name)=KEY"
  }

  /// What to do with a printed command that has no write key.
  static let keyAdvice =
    "Put the new SDK's write key in place of \(RecipeParameter.unknownWriteKey): the name of its file ends with it, and "
    + "the SDK's dashboard shows it."

  static func isWriteKey(_ name: String) -> Bool {
    name == RecipeParameter.writeKey.name || name.hasSuffix("/" + RecipeParameter.writeKey.name)
  }

  /// The write key that is given for one recipe by name.
  private func given(for recipe: Recipe) -> String? { values[RecipeParameter.writeKey.of(recipe.reference.id).name] }

  /// The write key of one SDK among several, or of the only one: what the container shows of it. The given key counts
  /// here only if the SDK shows it, because it belongs to one SDK.
  private func key(of recipes: [Recipe], in container: Container) -> String? {
    guard container.bundleID != nil else { return nil }
    let name = RecipeParameter.writeKey.name
    let shown = recipes.lazy.compactMap { $0.shownValue(of: name, in: container) }.first
    let files = recipes.flatMap { $0.target.values(of: name, in: container) }
    return writeKey.flatMap { files.containsBytes(of: $0) ? $0 : nil } ?? shown
  }

  private func filled(_ recipe: Recipe, in container: Container) throws -> Recipe {
    let filled = try recipe.filled(values, in: container)
    if let clash = filled.clash {
      throw CommandFailure("Recipe \(recipe.reference.id): \(DisplayText.visible(clash))", .error)
    }
    if case .file = filled.origin, filled.target.belongsToSystem {
      throw CommandFailure("Recipe \(recipe.reference.id) would write a system file, so it is not used.", .error)
    }
    return filled
  }
}
