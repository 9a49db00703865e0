package import Carryover
import CarryoverPages
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

extension Screen {
  static let setup = Screen("setup", "Setup")
  static let parameter = Screen("parameter", "Parameter")
  static let bundleID = Screen("bundle-id", "Bundle id")
  static let recipe = Screen("recipe", "Recipe")
  static let optedOut = Screen("opted-out", "Opted out")

  fileprivate static let setupLines: Set<Screen> = [.parameter, .bundleID, .recipe]
}

/// What `W` changes.
private enum PlanSetting: Hashable, Sendable {
  case parameter(RecipeParameter)
  case bundleID, recipe, optedOut

  /// The keys in the menu: of the settings, of parameters other than the write key, of recipes.
  static let keys: [Character] = ["w", "b", "r", "o"] + parameterKeys + recipeKeys.filter { !"wbro".contains($0) }
  static let parameterKeys = Array("123456789")
  /// Without those that move in a list, leave it, or write on the next screen.
  static let recipeKeys = Array("abcdefimnoprstuvwxz")
}

extension ScreenContent<ReviewState> {
  static var setup: ScreenContent { menu(.setup, keys: SetupKeys.all) { $0.setupMenu }.with { $0.hasHelp = true } }
  static var parameter: ScreenContent { setupLine(.parameter, "value: ") }
  static var bundleID: ScreenContent { setupLine(.bundleID, "bundle id: ") }
  static var recipe: ScreenContent { setupLine(.recipe, "recipes: ") }

  static var optedOut: ScreenContent {
    text(.optedOut, back: Back(help: "Go back; the user stays opted out.")) { $0.optedOut($1) }.with {
      $0.isRead = true
    }
  }

  private static func setupLine(_ screen: Screen, _ prompt: String) -> ScreenContent {
    line(screen, prompt: prompt).with {
      $0.words = { ($0.setupComplaint ?? "", true) }
      $0.note = { state in
        let choices = state.stack.typing?.choices.map(\.text).joined(separator: ", ") ?? ""
        let several = screen == .recipe ? "; separate several with commas" : ""
        let needed = screen == .parameter ? state.neededBy.map { $0 + " needs it. " } ?? "" : ""
        let known = choices.isEmpty ? "" : "↑ for: \(choices)\(several)"
        let words = needed + known
        return (words.isEmpty ? "Leave it empty to use what the container has." : words, false)
      }
    }
  }
}

enum SetupKeys {
  static let all: [ReviewKey] = [
    ReviewKey(
      [.character("W")], "setup",
      "Change a parameter such as the write key, the bundle id, the recipes or the consent to migrate.",
      in: [.review, .details, .verdict, .warnings, .finding, .preview, .recipes, .unknown], .seeing, opens: .setup),
    ReviewKey(
      [.enter, .character(" ")], "change", "Change the selected setting.", in: [.setup], .seeing, hint: 1,
      opens: [.parameter, .bundleID, .recipe, .optedOut]
    ) {
      $0.pick()
    },
    .picked(PlanSetting.keys, "by-letter", "Change the setting listed under the key.", .setup, .seeing),
    ReviewKey(
      [.enter], "use", "Plan again with what you typed.", in: Screen.setupLines, .typing, hint: 1, name: "accept",
      unless: { $0.setupComplaint }
    ) { $0.acceptSetup() },
    .cancel(in: Screen.setupLines),
    ReviewKey(
      [.up], "other values", "Insert a known value.", in: Screen.setupLines, .typing, hint: 2,
      unless: { $0.stack.typing?.hasNext == true ? nil : "There is no other value." }
    ) { $0.stepLine(by: 1) },
    ReviewKey([.down], "value before", "Insert the previous value.", in: Screen.setupLines, .typing) {
      $0.stepLine(by: -1)
    },
    ReviewKey(
      [.character("y")], "allow", "Allow this user to be migrated; nothing is written yet.", in: [.optedOut],
      .deciding, hint: 1, duty: .confirmation
    ) { $0.replan { $0.allowsOptedOut = true } },
  ]
}

extension ReviewState {
  /// Where no recipe finds data, the recipes; otherwise the settings of the plan.
  fileprivate var setupMenu: ChoiceMenu {
    let items: [ChoiceMenu.Item]
    if isUnknown {
      let (here, rest) = recipesByData
      items = zip(PlanSetting.recipeKeys, here + rest).map { key, recipe in
        let id = recipe.reference.id
        return ChoiceMenu.Item(
          key: key, words: "\(id): \(recipe.reference.title)", count: nil,
          note: "The plan of this recipe is shown, though it finds no data here.",
          pick: { $0.follow([id]) })
      }
    } else {
      items = settings.map { key, setting in
        let (words, note) = wording(setting)
        return ChoiceMenu.Item(key: key, words: words, count: nil, note: note) { $0.change(setting) }
      }
    }
    return ChoiceMenu(title: isUnknown ? Screen.recipe.title : Screen.setup.title, items: items)
  }

  private var settings: [(key: Character, setting: PlanSetting)] {
    var settings: [(key: Character, setting: PlanSetting)] = []
    if parameters.contains(.writeKey) { settings.append(("w", .parameter(.writeKey))) }
    for (key, parameter) in zip(PlanSetting.parameterKeys, parameters.filter { $0 != .writeKey }) {
      settings.append((key, .parameter(parameter)))
    }
    return settings + [("b", .bundleID), ("r", .recipe), ("o", .optedOut)]
  }

  /// What the recipes in use need a value of, the write key first.
  var parameters: [RecipeParameter] {
    let definitions = plan.recipePlans.map(\.definition)
    let named = definitions.filter { $0.target.parameters.contains(RecipeParameter.writeKey.name) }
      .distinct { $0.target }
    // Each SDK has a write key of its own.
    let keys =
      named.count > 1 ? named.map { RecipeParameter.writeKey.of($0.reference.id) } : named.map { _ in .writeKey }
    let own = definitions.flatMap { definition in
      let declared = Recipe(id: definition.reference.id)?.parameters ?? definition.parameters
      return declared
        + definition.values.keys.sorted().filter { name in !declared.contains { $0.name == name } }
        .map { RecipeParameter($0, $0) }
    }
    return (keys + own).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private func wording(_ setting: PlanSetting) -> (words: String, note: String) {
    let ink = Ink(options)
    func line(_ name: String, _ value: String?) -> String {
      ink.name(name, columns: 40) + ": " + (value.map { ink.name($0, columns: 40) } ?? "missing")
    }
    switch setting {
    case .parameter(.writeKey):
      let (files, given) = (keysOfFiles, givenValue(of: .writeKey))
      let stated = files.isEmpty && given == nil ? statedWriteKey : nil
      let key = given ?? (files.count == 1 ? files.first : stated?.key)
      return (
        line(RecipeParameter.writeKey.title, key),
        stated.map { "It is from \(DisplayText.visible($0.place, limit: 80))." }
          ?? "The write key is part of the name of the new SDK's file; the SDK's dashboard shows it."
      )
    case .parameter(let parameter):
      let given = givenValue(of: parameter)
      let shown = shown(parameter).first
      return (
        line(parameter.title, given ?? shown),
        given == nil && shown != nil ? "It is from the container." : "Keys or file names of the recipe contain it."
      )
    case .bundleID: return (line("bundle id", plan.container.bundleID), "The new SDK's file is named after it.")
    case .recipe:
      return (
        "\(plan.recipes.count == 1 ? "recipe" : "recipes"): \(plan.recipes.map(\.id).joined(separator: ", "))",
        "\(key("recipes", .review)) in the review shows why this recipe is used, and lists the others."
      )
    case .optedOut:
      return (
        "migrate \(isOptedOut ? "this" : "an") opted-out user: " + (choices.allowsOptedOut ? "yes" : "no"),
        applyBlockers.contains { $0.code == .consentOptedOut }
          ? "This user opted out of tracking." : "No opt-out stops this plan."
      )
    }
  }

  /// The value that the user gave for a parameter of the plan.
  private func givenValue(of parameter: RecipeParameter) -> String? {
    plan.recipes.lazy.compactMap { choices.parameters[FieldOwner.name(parameter.name, of: $0.id)] }.first
      ?? choices.parameters[parameter.name]
  }

  /// The write keys in the names of the files of the plan's new SDKs.
  private var keysOfFiles: [String] {
    container.map { container in
      plan.recipePlans.flatMap { $0.definition.keysOfFiles(in: container) }.distinct()
    } ?? []
  }

  private var isOptedOut: Bool { plan.findings.contains { $0.code == .consentOptedOut } }

  /// What the container shows of a parameter.
  private func shown(_ parameter: RecipeParameter) -> [String] {
    plan.recipePlans.map(\.definition).compactMap { definition in
      guard parameter == .writeKey.of(definition.reference.id) else { return definition.values[parameter.name] }
      return container.flatMap { definition.shownValue(of: RecipeParameter.writeKey.name, in: $0) }
    }
  }

  private var statedWriteKey: (key: String, place: String)? { container.flatMap(plan.statedWriteKey) }

  fileprivate mutating func change(_ setting: PlanSetting) {
    wanted = nil
    switch setting {
    case .parameter(let parameter):
      let known =
        parameter == .writeKey
        ? Set(keysOfFiles + (statedWriteKey.map { [$0.key] } ?? [])).sorted()
        : shown(parameter)
      askFor(.parameter, givenValue(of: parameter), known: known, of: parameter)
    case .bundleID: askFor(.bundleID, choices.bundleID)
    case .recipe: askFor(.recipe, choices.recipes.joined(separator: ", "), known: knownRecipes)
    case .optedOut:
      guard applyBlockers.contains(where: { $0.code == .consentOptedOut }) else {
        return refuse(
          choices.allowsOptedOut
            ? PlanChoices.allowed : "No opt-out stops this plan, so there is nothing to allow.")
      }
      open(.optedOut)
    }
  }

  /// Asks for the value that a plan under other choices needs.
  mutating func ask(for gap: ParameterGap, under choices: PlanChoices) {
    wanted = choices
    func title(_ parameter: RecipeParameter) -> String { DisplayText.visible(parameter.title, limit: 40) }
    switch gap {
    case .several(let parameter, let values):
      askFor(.parameter, nil, known: values, of: parameter)
      message = "The container has several values of the \(title(parameter))."
    case .unknown(let parameter, let recipe):
      askFor(.parameter, nil, of: parameter)
      message = "\(DisplayText.visible(recipe, limit: 60)) needs the \(title(parameter))."
    }
  }

  /// The recipes that wait for the value of a parameter.
  fileprivate var neededBy: String? {
    guard let recipes = wanted?.recipes, !recipes.isEmpty else { return nil }
    return recipes.map { DisplayText.visible($0, limit: 60) }.joined(separator: ", ")
  }

  /// Masked values are not put into the line either.
  private mutating func askFor(
    _ screen: Screen, _ text: String?, known: [String] = [], of parameter: RecipeParameter? = nil
  ) {
    let isMasking = options.redaction != nil
    stack.typing = LineEditor(
      screen, parameter: parameter, text: isMasking ? "" : text ?? "",
      choices: (isMasking && screen != .recipe ? [] : known).map { LineEditor.Choice(text: $0, origin: "known") })
  }

  /// Those with data here first; all of these together where there are several.
  private var knownRecipes: [String] {
    let (here, rest) = recipesByData
    let all = [PlanChoices.allRecipes]
    return (here.count > 1 ? all : []) + (here + rest).map(\.reference.id) + (here.count > 1 ? [] : all)
  }

  fileprivate var setupComplaint: String? {
    guard let typing = stack.typing else { return nil }
    let title = DisplayText.visible(typing.parameter?.title ?? "", limit: 40)
    guard !typing.text.isEmpty else { return wanted == nil ? nil : "type the \(title)" }
    switch typing.screen {
    case .parameter: return typing.parameter?.accepts(typing.text) == true ? nil : "not a valid \(title)"
    case .bundleID: return Container.isValidBundleID(typing.text) ? nil : "not a valid bundle id"
    case .recipe: return Self.recipeIDs(typing.text).contains { !isRecipe($0) } ? "no such recipe" : nil
    default: return nil
    }
  }

  private static func recipeIDs(_ text: String) -> [String] {
    text.split { $0 == "," || $0 == " " }.map(String.init)
  }

  /// Of recipe files, only those named on the command line: a screen opens no other file.
  private func isRecipe(_ id: String) -> Bool {
    id == PlanChoices.allRecipes || Recipe(id: id) != nil || choices.recipes.contains(id)
  }

  fileprivate mutating func acceptSetup() {
    guard let typing = stack.typing, setupComplaint == nil else { return emit(.bell) }
    let text = typing.text.isEmpty ? nil : typing.text
    stack.typing = nil
    switch typing.screen {
    case .parameter:
      let recipes = plan.recipes
      replan { if let parameter = typing.parameter { $0.set(parameter, text, of: recipes) } }
    case .bundleID: replan { $0.bundleID = text }
    default: follow(Self.recipeIDs(typing.text))
    }
  }

  fileprivate mutating func follow(_ recipes: [String]) {
    let former = plan.recipePlans.map(\.definition)
    replan { $0.choose(recipes, insteadOf: former) }
  }

  fileprivate mutating func replan(_ change: (inout PlanChoices) -> Void) {
    var wanted = wanted ?? choices
    self.wanted = nil
    change(&wanted)
    show([.review])
    guard wanted != choices else { return }
    waiting = .plan
    emit(.plan(wanted))
  }
}

extension PageWriter {
  fileprivate mutating func optedOut(_ state: ReviewState) {
    add(.list(state.applyBlockers.filter { $0.code == .consentOptedOut }.map { $0.item(remedy: state.remedy(of: $0)) }))
    blank()
    add([
      Span(ink.words("Migrate this user? ")), Span(state.key("allow", .optedOut), .key),
      Span(ink.words(" allows it for this review. Nothing is written until you apply.")),
    ])
  }
}

package struct PlanChoices: Hashable, Sendable {
  /// The values that are set for the recipes in use, by the parameter's name, the write key included. Other parameters
  /// have the container's values.
  package var parameters: [String: String]
  /// The values that the user gave for recipes that are not in use, by recipe. Only verdicts on other SDKs use them.
  private var others: [String: [String: String]] = [:]
  /// Nil for the container's.
  package var bundleID: String?
  /// The ids of the recipes, or ``allRecipes``; empty for the one that matches the container's keys.
  package var recipes: [String]
  package var allowsOptedOut: Bool

  package init(
    writeKey: String? = nil, parameters: [String: String] = [:], bundleID: String? = nil, recipes: [String] = [],
    allowsOptedOut: Bool = false
  ) {
    self.parameters = parameters
    if let writeKey { self.parameters[RecipeParameter.writeKey.name] = writeKey }
    self.bundleID = bundleID
    self.recipes = recipes
    self.allowsOptedOut = allowsOptedOut
  }

  /// Stands for every recipe for which the container has evidence.
  package static let allRecipes = "all"

  package var writeKey: String? { parameters[RecipeParameter.writeKey.name] }

  /// The built-in recipes that a container's keys can call for; none if the user names the recipes.
  package static func callable(under recipes: [String]) -> [Recipe] {
    recipes.isEmpty || recipes.contains(allRecipes) ? Recipe.builtIn.filter { !$0.isOnlyByName } : []
  }

  /// The values for recipes that are not in use, named `RECIPE/NAME`.
  package var forOthers: [String: String] {
    others.reduce(into: [:]) { named, recipe in
      for (name, value) in recipe.value { named[FieldOwner.name(name, of: recipe.key)] = value }
    }
  }

  /// Chooses recipes. A value stays with the recipe that it was given for, and is used again with that recipe.
  /// - Parameters:
  ///   - former: the recipes of the plan until now.
  ///   - own: the values that are known to be for the chosen recipe.
  package mutating func choose(_ recipes: [String], insteadOf former: [Recipe], keeping own: [String: String] = [:]) {
    guard recipes != self.recipes else { return }
    hold(parameters.filter { own[$0.key] == nil }, of: former)
    (self.recipes, parameters) = (recipes, own)
    let callable = Self.callable(under: recipes).map(\.reference.id)
    let isOne = recipes.count == 1 && callable.isEmpty
    for recipe in callable + recipes {
      // With several recipes, a value is named by its recipe's id, and of a recipe file only the path is known.
      guard isOne || Recipe(id: recipe) != nil, let values = others.removeValue(forKey: recipe) else { continue }
      let named = values.map { (isOne ? $0 : FieldOwner.name($0, of: recipe), $1) }
      parameters.merge(named) { own, _ in own }
    }
  }

  private mutating func hold(_ values: [String: String], of recipes: [Recipe]) {
    var values = values
    // A value for a recipe that is not in use is named `RECIPE/NAME`.
    for recipe in Recipe.builtIn where !recipes.contains(where: { $0.reference.id == recipe.reference.id }) {
      hold(values.filter { RecipeParameter.owner(of: $0.key) == recipe.reference.id }, of: recipe)
    }
    let name = RecipeParameter.writeKey.name
    let keyed = recipes.filter(\.takesWriteKey)
    let isOfOneSDK = Set(keyed.map(\.target)).count == 1
    // A write key for several SDKs belongs to none of them.
    if !isOfOneSDK { values[name] = nil }
    for recipe in recipes { hold(values, of: recipe) }
    guard isOfOneSDK else { return }
    // Recipes that write the same file are for the same SDK.
    let key = keyed.lazy.compactMap { RecipeParameter.values(values, of: $0.reference.id)[name] }.first
    for recipe in Recipe.builtIn where recipe.target == keyed[0].target {
      others[recipe.reference.id]?[name] = nil
      if let key { others[recipe.reference.id, default: [:]][name] = key }
    }
  }

  private mutating func hold(_ values: [String: String], of recipe: Recipe) {
    let own = RecipeParameter.values(values, of: recipe.reference.id).filter { recipe.takes($0.key) }
    guard !own.isEmpty else { return }
    let name = if case .file(let path, _) = recipe.origin { path } else { recipe.reference.id }
    others[name, default: [:]].merge(own) { $1 }
  }

  /// Sets or clears a value for the recipes in use.
  mutating func set(_ parameter: RecipeParameter, _ value: String?, of recipes: [RecipeReference]) {
    for recipe in recipes { parameters[FieldOwner.name(parameter.name, of: recipe.id)] = nil }
    parameters[parameter.name] = value
  }

  /// What was set or cleared since other choices, in sentences; nil if nothing was.
  /// - Parameter known: the parameters of the plan under these choices.
  func change(since former: PlanChoices, _ known: [RecipeParameter], isMasked: Bool) -> String? {
    func words(_ name: String, _ value: String?, isShown: Bool) -> String {
      guard let value else { return name.capitalised + " cleared." }
      return name.capitalised + (isShown ? " " + DisplayText.visible(value, limit: 60) : "") + " set."
    }
    let known = [.writeKey] + known + recipes.compactMap { Recipe(id: $0) }.flatMap(\.parameters)
    var changes: [String] = []
    for name in Set(parameters.keys).union(former.parameters.keys).sorted() {
      let value = parameters[name]
      guard value != former.parameters[name], value != nil || recipes == former.recipes else { continue }
      let title = known.first { $0.name == name }?.title ?? Self.title(ofNamed: name, known) ?? name
      changes.append(words(DisplayText.visible(title, limit: 40), value, isShown: !isMasked))
    }
    if bundleID != former.bundleID { changes.append(words("bundle id", bundleID, isShown: !isMasked)) }
    if recipes != former.recipes {
      let names = recipes.isEmpty ? nil : recipes.joined(separator: ", ")
      changes.append(words(recipes.count > 1 ? "recipes" : "recipe", names, isShown: true))
    }
    if allowsOptedOut && !former.allowsOptedOut { changes.append(Self.allowed) }
    return changes.isEmpty ? nil : changes.joined(separator: " ")
  }

  private static func title(ofNamed name: String, _ known: [RecipeParameter]) -> String? {
    RecipeParameter.owner(of: name).flatMap { owner in
      known.lazy.map { $0.of(owner) }.first { $0.name == name }?.title
    }
  }

  static let allowed = "This user may be migrated. Nothing is written until you apply."
}
