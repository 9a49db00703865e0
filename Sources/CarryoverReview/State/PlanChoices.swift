import Carryover

/// What a plan depends on, as far as the review lets a person change it.
package struct PlanChoices: Hashable, Sendable {
  /// The write key of the new SDK's source; nil for the only one that the container has a suite for.
  package var writeKey: String?
  /// The app's bundle id; nil for the one that the container gives.
  package var bundleID: String?
  /// The ids of the recipes, or ``allRecipes``; empty for the one that the container's keys speak for.
  package var recipes: [String]
  /// Whether a user who has opted out is migrated.
  package var allowsOptedOut: Bool

  package init(
    writeKey: String? = nil, bundleID: String? = nil, recipes: [String] = [], allowsOptedOut: Bool = false
  ) {
    self.writeKey = writeKey
    self.bundleID = bundleID
    self.recipes = recipes
    self.allowsOptedOut = allowsOptedOut
  }

  /// The name that stands for every recipe for which the container has evidence.
  package static let allRecipes = "all"
}

extension Finding {
  /// What the title bar says of a finding that blocks the plan: what is missing, or that something is in the way.
  var obstacle: (words: String, isSetUp: Bool) {
    switch code {
    case .targetNoWriteKey: ("write key missing", true)
    case .targetNoBundleID: ("bundle id missing", true)
    case .consentOptedOut: ("opted out", true)
    default: (FieldSummary.blocked, false)
    }
  }
}

extension ReviewState {
  /// What to do about a finding, with the key to it where it can be done here.
  func remedy(of finding: Finding) -> String {
    guard (finding.blocks && finding.obstacle.isSetUp) || finding.code == .targetOtherWriteKey else {
      return finding.commandRemedy
    }
    return "\(finding.commandRemedy) \(key("setup", .review)) sets it here."
  }
}

/// What can be changed about the plan from inside the review.
enum SetupItem: CaseIterable, Hashable, Sendable {
  case writeKey, bundleID, recipe, optedOut

  /// The key in the menu.
  var key: Character {
    switch self {
    case .writeKey: "w"
    case .bundleID: "b"
    case .recipe: "r"
    case .optedOut: "o"
    }
  }
}
