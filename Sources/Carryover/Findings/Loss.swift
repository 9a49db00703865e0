/// What a user meets when something of theirs is not migrated. A recipe's rule names the loss of its field.
package struct Loss: Hashable, Sendable {
  /// What kind of loss it is, the gravest first. The raw value is the word in JSON output.
  package enum Kind: String, CaseIterable, Comparable, Sendable {
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
  /// What is lost, in a few words: "the user id".
  package let what: String
  /// The sentence up to its cause while the update is ahead: "the update would log this user out".
  package let ahead: String
  /// The same once the new SDK has run.
  package let past: String
  /// The loss that this one is a part of; nil for one that stands alone.
  package let whole: String?

  /// A loss with words of its own.
  package init(_ kind: Kind, _ what: String, ahead: String, past: String, partOf whole: String? = nil) {
    self.kind = kind
    self.what = what
    self.ahead = ahead
    self.past = past
    self.whole = whole
  }

  /// The id of the user who is logged in.
  package static let loggedOut = Loss(
    .loggedOut, "the user id", ahead: "the update would log this user out",
    past: "this user was logged out by the update")

  /// The id of the device's user, whoever is logged in.
  package static let newUser = Loss(
    .newUser, "the anonymous id", ahead: "the update would count this user as a new one",
    past: "this user is counted as a new one since the update")

  /// The loss where the new SDK gets another value instead.
  var changed: Loss {
    Loss(
      kind == .loggedOut ? .otherUser : kind, what, ahead: "the update would change \(what)",
      past: "the update changed \(what)")
  }

  /// That the user has opted out.
  static let trackedAgain = Loss(
    .trackedAgain, "the opt-out", ahead: "the update would track this user, who has opted out",
    past: "this user has opted out, and is tracked since the update")

  /// Something that is gone.
  package static func lost(_ what: String, _ kind: Kind = .data, partOf whole: Loss? = nil) -> Loss {
    Loss(
      kind, what, ahead: "the update would lose \(what)", past: "the update lost \(what)", partOf: whole?.what)
  }

  /// Something that the app cannot go on with, update or not.
  package static func unusable(_ what: String) -> Loss {
    let words = "\(what) cannot be migrated"
    return Loss(.data, what, ahead: words, past: words)
  }
}

/// What a finding means for the user whose container it is.
package enum Consequence: Hashable, Sendable {
  /// Why the value of its field is lost, where it is lost.
  case cause(FindingText)
  /// Something is lost whatever becomes of the field, and why.
  case loss(Loss, FindingText)
  /// Why nobody can be certain what the container had.
  case doubt(FindingText)
  /// The value is not migrated, and nobody misses it.
  case harmless

  /// The same with every fact masked.
  func masked(by mask: FactMask) -> Consequence {
    switch self {
    case .cause(let text): .cause(text.masked(by: mask))
    case .loss(let loss, let text): .loss(loss, text.masked(by: mask))
    case .doubt(let text): .doubt(text.masked(by: mask))
    case .harmless: .harmless
    }
  }
}
