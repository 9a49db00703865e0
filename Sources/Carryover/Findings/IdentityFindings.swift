package import PropertyLists

extension FindingCode {
  static let identityCodes: [FindingCode] = [
    .identityOlderGeneration, .identityPlaceholder, .sourceDoubtful, .sourceHidden, .targetRemovedSince,
    .identityHiddenCharacters,
  ]

  package static let identityOlderGeneration = FindingCode(
    "identity.older-generation", .error, .asksWithoutAdvice,
    title: "older and newer values have different ids",
    happens: """
      The container has the values of two versions of an SDK, or of two SDKs. The older ones have an id or traits \
      that the newer ones lack, or a different id. Or another id differs, and the older ones lack this one.
      """,
    legacyReads: "Most versions of the legacy SDK read only their own values; some also read or move earlier ones.",
    guideSays: "The guide does not say which values count if an older SDK has left some too.",
    helperWrites: "The vendor's migrator does not compare the values of two SDKs.",
    weWrite: """
      Carryover takes the user's ids and traits from the newer values only, so that they belong to one user. It \
      offers the older value, and asks.
      """,
    whatToDo: """
      Find out which version of the app ran last. Skip the field if the user has logged out since the older values \
      were written. Choose the older value only together with the other older ids.
      """)

  package static let identityPlaceholder = FindingCode(
    "identity.placeholder", .warning, .asksWithoutAdvice,
    title: "an id is a placeholder such as (null) or undefined",
    happens: """
      An id is the text that a language prints for a missing value or an object, the name of a key, or nothing but \
      zeros. The app has passed it by mistake, perhaps for many users.
      """,
    legacyReads: "The legacy SDK sends the id as it is.",
    guideSays: "The guide does not say what to do with an id that belongs to nobody.",
    helperWrites: "The vendor's migrator writes such an id like any other.",
    weWrite: "Carryover proposes the id and asks, because every user with the same id counts as one person.",
    whatToDo: "Skip the field, or edit it if you know the right id. Accept it only if it really is this user's id.")

  package static let sourceDoubtful = FindingCode(
    "source.doubtful", .warning, .asks,
    title: "the recipe is not sure that a value is the right one",
    happens: """
      The value for a field may be the wrong one: for example, some versions of the SDK store something else under \
      the same key.
      """,
    legacyReads: "Whether the legacy SDK reads the value, and as what, depends on its version.",
    guideSays: "The guide does not mention values whose meaning depends on the app's earlier versions.",
    helperWrites: "No migrator of the vendor reads the value.",
    weWrite: "Carryover proposes the value, gives the recipe's reason, and asks.",
    whatToDo: "Accept the proposal if you know what the value is. Otherwise skip or edit the field.")

  package static let sourceHidden = FindingCode(
    "source.hidden", .error, .asksWithoutAdvice,
    title: "a file that may have the right value cannot be read",
    happens: "A legacy file cannot be read. It may have the value that the legacy SDK reads.",
    legacyReads: "The legacy SDK reads the value in this file, if there is one and the SDK can read the file.",
    guideSays: "The guide does not say whose values count if a damaged file could have others.",
    helperWrites: "The vendor's migrator may read another file instead, or nothing.",
    weWrite: """
      Carryover proposes the value of the next file, if it has one, and asks: that value may be older, or another \
      user's.
      """,
    whatToDo: """
      Ask for a container with an intact file. Accept the proposal only if you know that it is this user's; otherwise \
      skip the field.
      """)

  package static let targetRemovedSince = FindingCode(
    "target.removed-since", .error, .asksWithoutAdvice,
    title: "the app has removed a value that a migration wrote or kept",
    happens: """
      A run of Carryover or the library has already written this field, or kept the value that the new SDK's file had. \
      Since then, the app has removed the value, as it does when the user logs out.
      """,
    legacyReads: "The legacy SDK still has its own value: it knows nothing of the logout.",
    guideSays: "The guide migrates once, and does not mention a logout afterwards.",
    helperWrites: "The vendor's migrator does nothing once the new SDK's file exists, or has its own rule.",
    weWrite: "Carryover proposes the legacy value and asks. Without a decision, nothing is written.",
    whatToDo: "Skip the field if the user has logged out. Accept it only if the value was lost in another way.")

  package static let identityHiddenCharacters = FindingCode(
    "identity.hidden-characters", .warning, .asksWithoutAdvice,
    title: "an id has leading or trailing whitespace, or hidden characters",
    happens: """
      An id begins or ends with white space, or contains a line break or a character that no screen shows, such as a \
      zero-width space. Such ids come from pasting, or from files that were read with their line ends.
      """,
    legacyReads: "The legacy SDK sends the id as it is, so its server knows the user under exactly this id.",
    guideSays: "The guide does not mention such ids.",
    helperWrites: "The vendor's migrator writes the id as it is.",
    weWrite: "Carryover shows the id with these characters, proposes it as it is, offers it without them, and asks.",
    whatToDo: """
      Look the user up on the server. Accept the proposal if the server knows the id with these characters. Choose \
      the id without them if the app now removes them.
      """)
}

extension Observation {
  /// - Parameter generation: the older generation's name; nil, like `newest`, if the recipe names none.
  package static func identityOlderGeneration(
    _ key: String, _ value: PropertyListValue, in store: String, of generation: String?, newest: String?,
    isMissing: Bool
  ) -> Observation {
    let older: FindingText = generation.map { "a value of \(words: $0)" } ?? "an older value"
    let newer: FindingText = newest.map { "the values of \(words: $0)" } ?? "the newer values"
    let have: FindingText =
      isMissing ? "which have none: the user may have logged out since" : "which have a different one"
    return Observation(
      .identityOlderGeneration,
      "\(key) in \(file: store) is \(older), \(shown: value). Carryover uses \(newer), \(have).",
      remedy: """
        Skip the field if the user has logged out since. Choose the older value only together with the other older ids.
        """,
      verdict: .doubt("\(file: store) has an older \(key)"))
  }

  package static func identityOlderGeneration(
    without key: String, of generation: String?, newest: String?
  ) -> Observation {
    let older: FindingText = generation.map { "Those of \(words: $0)" } ?? "The older values"
    let newer: FindingText = newest.map { "the values of \(words: $0)" } ?? "the newer values"
    return Observation(
      .identityOlderGeneration,
      "\(key) is only among \(newer). \(older) do not include it, and may be the current user's.",
      remedy: "Accept the proposal only together with the other newer ids. Skip the field if the older ones are right.",
      verdict: .doubt("the older values have no \(key)"))
  }

  package static func identityPlaceholder(_ id: String) -> Observation {
    Observation(
      .identityPlaceholder,
      """
      The id \(quoted: id) is a placeholder, not the id of one user. If it is migrated, all users with it count as one.
      """,
      remedy: "Skip the field, or edit it. Accept it only if this really is the user's id.")
  }

  /// - Parameter reason: the recipe's own sentence.
  package static func sourceDoubtful(key: String, _ reason: String) -> Observation {
    Observation(
      .sourceDoubtful, "\(key) may be something other than this field needs. \(words: reason)")
  }

  /// - Parameter store: the file with the proposed value; nil if there is none.
  package static func sourceHidden(_ field: String, in hidden: String, proposedFrom store: String?) -> Observation {
    let proposal: FindingText =
      store.map { "The value in \(file: $0) may be older, or another user's." } ?? "No other file has the value."
    return Observation(
      .sourceHidden, "\(file: hidden) cannot be read, and may have the right value for \(field). \(proposal)",
      remedy:
        "Ask for the container again. Otherwise skip the field, or accept or edit it if you know the right value.")
  }

  /// - Parameter wasWritten: false if a migration kept another value, so that the legacy one was never written.
  package static func targetRemovedSince(_ field: String, wasWritten: Bool) -> Observation {
    let earlier: FindingText =
      wasWritten ? "A migration has already written \(words: field)" : "A migration kept another \(words: field)"
    return Observation(
      .targetRemovedSince,
      "\(earlier), and the value has been removed since. A logout, for example, removes the user's values.",
      remedy: wasWritten
        ? nil : "Skip the field if the user has logged out. Accept it only if the legacy value is right after all.",
      verdict: wasWritten ? .harmless : nil)
  }

  package static func identityHiddenCharacters(_ id: String) -> Observation {
    Observation(
      .identityHiddenCharacters,
      """
      The id \(quoted: id) has leading or trailing whitespace, or hidden characters. With and without them, it is the id of two \
      different users.
      """,
      remedy: "Accept the id if the server knows the user under exactly this id. Otherwise choose the one without them."
    )
  }
}
