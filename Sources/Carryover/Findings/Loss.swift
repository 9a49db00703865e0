/// The effect on a user if a value is not migrated. A recipe's rule names the loss of its field.
package struct Loss: Hashable, Sendable {
  /// The kinds of loss, most severe first. The raw value is the word in JSON output.
  package enum Kind: String, CaseIterable, Comparable, Sendable, JSONConvertible {
    case loggedOut = "logged-out"
    case otherUser = "other-user"
    case newUser = "new-user"
    case trackedAgain = "tracked-again"
    case data
    case session
    case app

    package static func < (left: Kind, right: Kind) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  package let kind: Kind
  package let what: String
  /// The sentence before the update, up to its cause: "the update would log this user out".
  package let ahead: String
  /// The same sentence after the new SDK has run. By then the app may have done it, not the update.
  package let past: String
  /// The loss that this one is a part of; nil if there is none.
  package let whole: String?

  package init(_ kind: Kind, _ what: String, ahead: String, past: String, partOf whole: String? = nil) {
    self.kind = kind
    self.what = what
    self.ahead = ahead
    self.past = past
    self.whole = whole
  }

  package static let loggedOut = Loss(
    .loggedOut, "the user id", ahead: "the update would log this user out",
    past: "this user was logged out")

  package static let newUser = Loss(
    .newUser, "the anonymous id", ahead: "the update would count this user as a new one",
    past: "this user is counted as a new one")

  /// Whether the new SDK has another value instead.
  package var isChange: Bool { self == changed || self == replaced }

  var changed: Loss { changed(past: "the app changed \(what)") }

  /// The change by a new SDK that did not know the user when it started.
  var replaced: Loss { changed(past: "the new SDK replaced \(what) with its own") }

  private func changed(past: String) -> Loss {
    Loss(kind == .loggedOut ? .otherUser : kind, what, ahead: "the update would change \(what)", past: past)
  }

  package static let trackedAgain = Loss(
    .trackedAgain, "the opt-out", ahead: "the update would track this user, who has opted out",
    past: "this user has opted out, and is tracked since the update")

  package static func lost(_ what: String, _ kind: Kind = .data) -> Loss {
    Loss(kind, what, ahead: "the update would lose \(what)", past: "the app lost \(what)")
  }

  /// Data that the app cannot use, with or without the update.
  package static func unusable(_ what: String) -> Loss {
    let words = "\(what) cannot be migrated"
    return Loss(.data, what, ahead: words, past: words)
  }
}

package enum Consequence: Hashable, Sendable {
  /// The cause of the loss, if the field's value is lost.
  case cause(FindingText)
  /// A loss that does not depend on the field, with the cause.
  case loss(Loss, FindingText)
  /// The reason that the container's original content is uncertain.
  case doubt(FindingText)
  /// The value is not migrated, but the user loses nothing.
  case harmless

  func masked(by mask: FactMask) -> Consequence { map { $0.masked(by: mask) } }

  func map(_ change: (FindingText) -> FindingText) -> Consequence {
    switch self {
    case .cause(let text): .cause(change(text))
    case .loss(let loss, let text): .loss(loss, change(text))
    case .doubt(let text): .doubt(change(text))
    case .harmless: .harmless
    }
  }
}
