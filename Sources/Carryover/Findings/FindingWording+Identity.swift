import PropertyLists

extension FindingWording {
  static func identityMessage(_ observation: Observation, _ source: SourceKey?) -> String {
    switch observation {
    case .anonymousIDMalformed(let text, let defect):
      switch defect {
      case .empty:
        "The anonymous id is the empty string. The new SDK would keep it for ever, and all such users would be one."
      case .notUUID: "The anonymous id \(quoted(text)) is not a UUID, which is what the legacy SDK makes."
      case .allZero:
        "The anonymous id is all zeros: a placeholder that many devices share, not the id of a user."
      }
    case .anonymousIDNotString(let value):
      "The anonymous id is \(typed(value)), where the legacy SDK writes a string. The new SDK would "
        + "read it as absent and make a new id."
    case .anonymousIDOnlyInTraits(let id):
      "rl_anonymous_id is absent, but the traits hold the anonymous id \(quoted(id)), where SDKs before 1.0.10 kept it. "
        + "The reference migrator loses it: the user is counted twice."
    case .anonymousIDsDiffer(let key, let traits):
      "rl_anonymous_id is \(quoted(key)), the traits say \(quoted(traits)). The legacy SDK sends the key's, and so does "
        + "this proposal."
    case .customIDStripped(let id, let userID):
      "The traits hold an id of their own, \(quoted(id)), which is not the user id"
        + (userID.map { " \(quoted($0))" } ?? "")
        + ". \(isBeta(source) ? "The reference migrator" : "The guide") strips it, and "
        + "nothing else holds it."
    case .userIDEmpty:
      "\(userIDName(source)) is the empty string. The reference migrator writes it; here it counts as absent."
    case .userIDMissing:
      "There is no user id: the user was never identified, or was reset."
    case .userIDMissingWithTraits:
      "Traits remain, but there is no user id. The new SDK takes the next identify call for a change of user and wipes "
        + "the traits."
    case .userIDNotString(let kind, let text?) where source?.key == "rs_user_id":
      "rs_user_id is the \(kind) \(cut(text)), which the beta SDK 2 and the reference migrator read as text; so does this "
        + "proposal."
    case .userIDNotString(let kind, let text?):
      "\(userIDName(source)) is the \(kind) \(cut(text)). The reference migrator drops it: the user is logged out. "
        + "The legacy SDK sent \(quoted(text)); so does this proposal."
    case .userIDNotString(let kind, nil):
      kind == "null"
        ? "\(userIDName(source)) is null, which counts as absent: the user was never identified, or was reset."
        : "\(userIDName(source)) is \(kind == "object" || kind == "array" ? "an" : "a") \(kind), from which no user id follows. "
          + "The reference migrator drops it: the user is logged out."
    default: ""
    }
  }

  /// Whether it is about a key of the beta SDK 2, of which the guide does not speak.
  private static func isBeta(_ source: SourceKey?) -> Bool { source?.key.hasPrefix("rs_") ?? false }

  private static func userIDName(_ source: SourceKey?) -> String {
    source.flatMap { $0.member == nil ? $0.key : nil } ?? "traits.userId"
  }

  static func traitsMessage(_ observation: Observation, _ source: SourceKey?) -> String {
    switch observation {
    case .traitsDuplicateMember(let names):
      "The traits hold \(names.count == 1 ? "a member" : "members") more than once: \(listed(names)). Readers take the "
        + "last one; all are kept as they are."
    case .traitsEmptyAfterStrip:
      "Nothing but the ids stood in the traits, so nothing is written. The new SDK reads absent traits as empty."
    case .traitsInvalidJSON(let defect):
      invalidTraits(defect, source?.key ?? "rl_traits")
        + " Neither traits nor the ids in them can be migrated; everything else can."
    case .traitsLossyReencode(let pieces):
      "Decoding the traits and encoding them again, as the reference migrator does, would change \(listed(pieces)). Here "
        + "every byte that stays is kept."
    default: ""
    }
  }

  private static func invalidTraits(_ defect: TraitsDefect, _ key: String) -> String {
    switch defect {
    case .notText(let kind):
      "\(key) is \(name(kind)), where the legacy SDK writes \(key == "rs_traits" ? "a keyed archive" : "JSON text")."
    case .syntax(let error): "\(key) is not JSON. \(cut(error.description, to: 160))"
    case .notObject: "\(key) is JSON, but not an object."
    case .loneSurrogate(let position):
      "\(key) holds half of a surrogate pair at column \(position.column ?? position.offset + 1), which no SDK reads."
    case .numberOutOfRange(let lexeme): "\(key) holds the number \(cut(lexeme)), which no SDK reads."
    case .archive(let reason): "\(key) cannot be opened. \(cut(reason, to: 160))"
    }
  }
}
