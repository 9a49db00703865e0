import Carryover

package struct PlanChoices: Hashable, Sendable {
  /// Nil for the only one that the container has a suite for.
  package var writeKey: String?
  /// Nil for the container's.
  package var bundleID: String?
  /// The ids of the recipes, or ``allRecipes``; empty for the one that matches the container's keys.
  package var recipes: [String]
  package var allowsOptedOut: Bool

  package init(writeKey: String? = nil, bundleID: String? = nil, recipes: [String] = [], allowsOptedOut: Bool = false) {
    self.writeKey = writeKey
    self.bundleID = bundleID
    self.recipes = recipes
    self.allowsOptedOut = allowsOptedOut
  }

  /// Stands for every recipe for which the container has evidence.
  package static let allRecipes = "all"
}

extension Finding {
  /// A blocking finding in the title bar: what is missing or in the way, and whether the setup can change it.
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
  func remedy(of finding: Finding) -> String {
    guard (finding.blocks && finding.obstacle.isSetUp) || finding.code == .targetOtherWriteKey else {
      return finding.commandRemedy
    }
    return "\(finding.commandRemedy) \(key("setup", .review)) sets it here."
  }
}

enum SetupItem: Character, CaseIterable, Sendable {
  case writeKey = "w"
  case bundleID = "b"
  case recipe = "r"
  case optedOut = "o"

  /// The key in the menu.
  var key: Character { rawValue }
}
