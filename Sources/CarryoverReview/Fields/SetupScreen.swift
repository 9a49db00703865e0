import Carryover
import CarryoverPages
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

extension Screen {
  static let setup = Screen("setup", "Setup")
  static let writeKey = Screen("write-key", "Write key")
  static let bundleID = Screen("bundle-id", "Bundle id")
  static let recipe = Screen("recipe", "Recipe")
  static let optedOut = Screen("opted-out", "Opted out")

  fileprivate static let setupLines: Set<Screen> = [.writeKey, .bundleID, .recipe]
  /// By their keys in the menu.
  fileprivate static let settings: [(key: Character, screen: Screen)] = [
    ("w", .writeKey), ("b", .bundleID), ("r", .recipe), ("o", .optedOut),
  ]
}

extension ScreenContent<ReviewState> {
  static var setup: ScreenContent { menu(.setup, keys: SetupKeys.all) { $0.setupMenu } }
  static var writeKey: ScreenContent { setupLine(.writeKey, "write key: ") }
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
        let several = screen == .recipe ? "; a comma between several" : ""
        return (
          choices.isEmpty ? "Leave it empty to use what the container has." : "↑ for: \(choices)\(several)", false
        )
      }
    }
  }
}

enum SetupKeys {
  static let all: [ReviewKey] = [
    ReviewKey(
      [.character("W")], "setup", "Change the write key, the bundle id, the recipes or the consent to migrate.",
      in: [.review, .details, .verdict, .warnings, .finding, .preview, .recipes, .unknown], .seeing,
      opens: [.setup, .writeKey, .bundleID]
    ) {
      $0.open(.setup)
      if let screen = $0.missingSetting { $0.change(screen) }
    },
    ReviewKey(
      [.enter, .character(" ")], "change", "Change the selected setting.", in: [.setup], .seeing, hint: 1,
      opens: [.writeKey, .bundleID, .recipe, .optedOut]
    ) {
      $0.pick()
    },
    .picked(
      Screen.settings.map(\.key), "by-letter", "Change the setting listed under the key.", .setup, .seeing),
    ReviewKey(
      [.enter], "use", "Plan again with what you typed.", in: Screen.setupLines, .typing, hint: 1, name: "accept",
      unless: { $0.setupComplaint }
    ) { $0.acceptSetup() },
    .cancel(in: Screen.setupLines),
    ReviewKey(
      [.up], "other values", "Put a known value into the line.", in: Screen.setupLines, .typing, hint: 2,
      unless: { $0.stack.typing?.hasNext == true ? nil : "There is no other value." }
    ) { $0.stepLine(by: 1) },
    ReviewKey([.down], "value before", "Put the previous value into the line.", in: Screen.setupLines, .typing) {
      $0.stepLine(by: -1)
    },
    ReviewKey(
      [.character("y")], "allow", "Allow this user to be migrated; nothing is written yet.", in: [.optedOut],
      .deciding, hint: 1, duty: .confirmation
    ) { $0.replan { $0.allowsOptedOut = true } },
  ]
}

extension ReviewState {
  fileprivate var missingSetting: Screen? {
    switch isUnknown ? nil : blockers.first?.code {
    case .targetNoWriteKey: .writeKey
    case .targetNoBundleID: .bundleID
    default: nil
    }
  }

  fileprivate var setupMenu: ChoiceMenu {
    ChoiceMenu(
      title: Screen.setup.title,
      items: Screen.settings.map { key, screen in
        let (words, note) = wording(screen)
        return ChoiceMenu.Item(key: key, words: words, count: nil, note: note) { $0.change(screen) }
      })
  }

  private func wording(_ setting: Screen) -> (words: String, note: String) {
    let ink = Ink(options)
    switch setting {
    case .writeKey:
      guard plan.recipePlans.contains(where: { !$0.definition.target.parameters.isEmpty }) else {
        return ("write key: not needed", "No file of this plan is named after it.")
      }
      let files = container?.writeKeys ?? []
      let stated = files.isEmpty && choices.writeKey == nil ? statedWriteKey : nil
      let key = choices.writeKey ?? (files.count == 1 ? files.first : stated?.key)
      return (
        "write key: " + (key.map { ink.name($0, columns: 40) } ?? "missing"),
        stated.map { "It is from \(DisplayText.visible($0.place, limit: 80))." }
          ?? "The write key is part of the name of the new SDK's file; the SDK's dashboard shows it."
      )
    case .bundleID:
      return (
        "bundle id: " + (plan.container.bundleID.map { ink.name($0, columns: 40) } ?? "missing"),
        "The new SDK's file is named after it."
      )
    case .recipe:
      return (
        "\(plan.recipes.count == 1 ? "recipe" : "recipes"): \(plan.recipes.map(\.id).joined(separator: ", "))",
        "\(key("recipes", .review)) in the review shows why this recipe is used, and the others."
      )
    default:
      return (
        "migrate \(isOptedOut ? "this" : "an") opted-out user: " + (choices.allowsOptedOut ? "yes" : "no"),
        applyBlockers.contains { $0.code == .consentOptedOut }
          ? "This user opted out of tracking." : "No opt-out stops this plan."
      )
    }
  }

  private var isOptedOut: Bool { plan.findings.contains { $0.code == .consentOptedOut } }

  private var statedWriteKey: (key: String, place: String)? { container.flatMap(plan.statedWriteKey) }

  fileprivate mutating func change(_ setting: Screen) {
    if setting == .optedOut {
      guard applyBlockers.contains(where: { $0.code == .consentOptedOut }) else {
        return refuse(
          choices.allowsOptedOut
            ? PlanChoices.allowed : "No opt-out stops this plan, so there is nothing to allow.")
      }
      open(.optedOut)
      return
    }
    let known: [String] =
      switch setting {
      case .writeKey: Set((container?.writeKeys ?? []) + (statedWriteKey.map { [$0.key] } ?? [])).sorted()
      case .recipe: knownRecipes
      default: []
      }
    let text =
      switch setting {
      case .writeKey: choices.writeKey
      case .recipe: choices.recipes.joined(separator: ", ")
      default: choices.bundleID
      }
    // Masked values are not put into the line either.
    let isMasking = options.redaction != nil
    stack.typing = LineEditor(
      setting, text: isMasking ? "" : text ?? "",
      choices: (isMasking && setting != .recipe ? [] : known).map { LineEditor.Choice(text: $0, origin: "known") })
  }

  /// Those with data here first; all of these together where there are several.
  private var knownRecipes: [String] {
    let (here, rest) = recipesByData
    let all = [PlanChoices.allRecipes]
    return (here.count > 1 ? all : []) + (here + rest).map(\.reference.id) + (here.count > 1 ? [] : all)
  }

  fileprivate var setupComplaint: String? {
    guard let typing = stack.typing, !typing.text.isEmpty else { return nil }
    switch typing.screen {
    case .writeKey: return RecipeParameter.writeKey.accepts(typing.text) ? nil : "not a valid write key"
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
    replan {
      switch typing.screen {
      case .writeKey: $0.writeKey = text
      case .bundleID: $0.bundleID = text
      default: $0.recipes = Self.recipeIDs(typing.text)
      }
    }
  }

  fileprivate mutating func replan(_ change: (inout PlanChoices) -> Void) {
    var wanted = choices
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
      Span(ink.words(" allows it for this review. Nothing is written before you apply.")),
    ])
  }
}
