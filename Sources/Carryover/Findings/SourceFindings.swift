package import PropertyLists

extension FindingCode {
  /// Two stores hold different values for a key.
  package static let sourceDisagree = FindingCode(
    "source.disagree", .error, .asks,
    Explanation(
      title: "the stores, or two pairs of one file, lead to different proposals",
      happens: "Two legacy stores hold different values for a key, or one file holds the key twice.",
      legacyReads: """
        The legacy SDK takes the preferences' value and looks into its own file only for keys that the preferences \
        lack.
        """,
      guideSays: """
        The guide reads the file since 1.25.2, and the preferences only for earlier versions. Two stores that hold \
        different values do not occur in it.
        """,
      helperWrites: "The helper takes the file's value, unless it can read none of the file's values.",
      weWrite: """
        Carryover proposes the preferences' value, which the legacy SDK reads, shows both, and asks where a field's \
        proposal depends on it.
        """,
      whatToDo: "Confirm the preferences' value, or take the other one if it is known to be right."))
}

extension Observation {
  /// Two stores hold different values for a key.
  package static func sourceDisagree(key: String, values: [StoredValue]) -> Observation {
    let stores = Set(values.map(\.store))
    func list(_ piece: (StoredValue) -> FindingText) -> FindingText { "\(list: values.map(piece), limit: .max)" }
    guard stores.count > 1 else {
      let held = list { $0.value.map { "\(shown: $0)" } ?? "nothing" }
      return Observation(
        .sourceDisagree,
        """
        \(file: values.first?.store ?? "") holds \(key) more than once: \(held). The system reads the first of these, and so \
        does this proposal.
        """,
        remedy: "Confirm the value that is read, or take another one.", detail: key)
    }
    let held = list { "\(file: $0.store) has \($0.value.map { "\(shown: $0)" } ?? "nothing")" }
    return Observation(
      .sourceDisagree,
      """
      The stores disagree on \(key): \(held). The legacy SDK reads the preferences first, and so does this proposal; the \
      reference migrator takes the other.
      """,
      remedy: "Confirm the value from the preferences, which the legacy SDK reads first, or take the other.",
      detail: key)
  }
}

extension FindingCode {
  /// The legacy SDK has left nothing that could be migrated.
  package static let sourceNotFound = FindingCode(
    "source.not-found", .note, .informs,
    Explanation(
      title: "there is no legacy data to migrate",
      happens: """
        The container has none of the values that are migrated. The app was uninstalled before the update, never had the \
        legacy SDK, or its values were deleted, as the helper does after a migration.
        """,
      legacyReads: "The legacy SDK has nothing to read either, and would make a new anonymous id.",
      guideSays: "The guide says that no migration is needed: the new SDK generates new values automatically.",
      helperWrites: "The helper writes nothing.",
      weWrite: "Carryover writes nothing, and notes why. This is success, not a failure.",
      whatToDo: """
        Do nothing: the new SDK makes its own values. If the app did have the legacy SDK, check that you opened the right \
        container and that it is whole.
        """))
}

extension Observation {
  /// The legacy SDK has left nothing that could be migrated.
  package static func sourceNotFound(_ sdk: String) -> Observation {
    Observation(
      .sourceNotFound,
      """
      The container has no values of \(sdk) to migrate. The app was uninstalled before the update, never \
      had the SDK, or its values were deleted.
      """,
      remedy:
        """
        Nothing to do: the new SDK makes its own values. If the app had the legacy SDK, check that this is \
        its container.
        """)
  }
}

extension FindingCode {
  /// A store lacks keys that the one before it has.
  package static let sourcePartial = FindingCode(
    "source.partial", .note, .informs,
    Explanation(
      title: "the file lacks keys that the preferences have",
      happens: "The legacy SDK's own file lacks keys that the preferences have.",
      legacyReads: "The legacy SDK reads key by key: the preferences first, the file second.",
      guideSays: """
        The guide names one place for all values, by the version of the legacy SDK. It does not merge the two.
        """,
      helperWrites: """
        The helper reads one of the stores and never merges: what the other has is lost. It takes the preferences only where \
        the file holds none of its values.
        """,
      weWrite: "Carryover merges the stores key by key, as the legacy SDK does.",
      whatToDo: "Nothing has to be done: each key comes from the first store that has it."))
}

extension Observation {
  /// A store lacks keys that the one before it has.
  package static func sourcePartial(store: String, keys: [String]) -> Observation {
    Observation(
      .sourcePartial,
      """
      \(file: store) lacks keys that the preferences have: \(list: keys). They are taken from there.
      """,
      remedy:
        "Nothing to do: each key is taken from the first store that has it.")
  }
}

extension FindingCode {
  /// A store lies where the system may remove it.
  package static let sourcePurgeable = FindingCode(
    "source.purgeable", .note, .informs,
    Explanation(
      title: "the file lies in the caches of a tvOS app",
      happens: "The legacy SDK's own file lies under Library/Caches, which the system may empty when it needs room.",
      legacyReads: """
        On tvOS the legacy SDK has no other place for its file. It still finds in the preferences what the system removed \
        from there.
        """,
      guideSays: "The guide names the folder and does not say that it may be emptied.",
      helperWrites: "The helper reads the file where it is still there, and deletes it afterwards.",
      weWrite: "Carryover reads file and preferences key by key, and removes nothing from either.",
      whatToDo: "Nothing has to be done. Where a value is missing that should be there, ask for a newer container."))
}

extension Observation {
  /// A store lies where the system may remove it.
  package static func sourcePurgeable(store: String) -> Observation {
    Observation(
      .sourcePurgeable,
      """
      \(file: store) lies in the caches of a tvOS app, which the system may empty at any time: what is \
      missing there may have been removed by it, not by the app.
      """,
      remedy:
        "Nothing to do. Where a value is missing that should be there, ask for a newer container.")
  }
}

extension FindingCode {
  /// A later store holds keys that the first one does not.
  package static let sourceStale = FindingCode(
    "source.stale", .note, .informs,
    Explanation(
      title: "only the file has these keys",
      happens: """
        Only the legacy SDK's own file has certain keys. Either the app removed them from the preferences itself, or the \
        preferences were lost.
        """,
      legacyReads: """
        The legacy SDK removes a value from both stores (1.25.2 to 1.31.0). When it starts, it \
        restores from the file what the preferences lack.
        """,
      guideSays: "The guide does not say that a value in the file may be one the app has removed.",
      helperWrites: "The helper takes the file's values and says nothing.",
      weWrite: "Carryover takes them too, as the legacy SDK would at its next start, and names the keys.",
      whatToDo: "Nothing has to be done. Skip a field if you know that the app removed its value on purpose."))
}

extension Observation {
  /// A later store holds keys that the first one does not.
  package static func sourceStale(store: String, keys: [String]) -> Observation {
    Observation(
      .sourceStale,
      """
      Only \(file: store) has \(list: keys). The legacy SDK removes values from both stores, so the app \
      removed these from the preferences, or they were lost. The SDK would restore them at its next \
      start, so they are migrated.
      """,
      remedy:
        "Nothing to do. Skip a field if the app removed its value on purpose.")
  }
}

extension FindingCode {
  /// A store could not be read.
  package static let sourceUnreadable = FindingCode(
    "source.unreadable", .warning, .informs,
    Explanation(
      title: "a legacy file is damaged",
      happens: "A legacy file is there and cannot be read: it is empty, cut off or damaged, or no dictionary.",
      legacyReads: """
        The legacy SDK writes every value to the preferences and to its own file, and reads the preferences first.
        """,
      guideSays: "The guide does not say what to do with a damaged file. Corrupt traits are the only damage it names.",
      helperWrites: "The helper falls back to the preferences without a word, then deletes the damaged file.",
      weWrite: "Carryover reads what the other stores hold, reports the file with the reason, and leaves it as it is.",
      whatToDo: "Ask for the container again if the data in the file matters."))
}

extension Observation {
  /// A store could not be read.
  package static func sourceUnreadable(store: String, reason: String) -> Observation {
    Observation(
      .sourceUnreadable,
      "\(file: store) is left out. \(reason, limit: 300)",
      remedy:
        "Ask for the container again if the data in this file matters. The file is left as it is.")
  }
}

extension FindingCode {
  /// A legacy value has a type the legacy SDK does not write there.
  package static let sourceWrongType = FindingCode(
    "source.wrong-type", .warning, .asks, brief: "wrong type",
    Explanation(
      title: "a value has a type the legacy SDK does not write there",
      happens: """
        A legacy value has a type that the legacy SDK does not write at this place: a number, or anything else, where \
        the tracking status is a boolean.
        """,
      legacyReads: "The legacy SDK takes a number for true unless it is zero.",
      guideSays: "The guide expects a boolean. What a value of another type means, it leaves open.",
      helperWrites: "The helper takes a number as zero or not zero, and writes nothing for other types.",
      weWrite: """
        Carryover reads a number as the legacy SDK would, proposes the inverted boolean, and asks. Values of other \
        types have no proposal.
        """,
      whatToDo: "Confirm the proposal, edit the field to true or false, or skip it."))
}

extension Observation {
  /// A legacy value has a type the legacy SDK does not write there.
  package static func sourceWrongType(key: String, _ value: PropertyListValue) -> Observation {
    Observation(
      .sourceWrongType,
      "\(key) is \(typed: value), which the legacy SDK does not write there.",
      remedy:
        "Confirm the value where one is proposed, edit it, or skip the field.")
  }
}

/// A value and the store that holds it.
package struct StoredValue: Hashable, Sendable {
  /// The store's path in the container.
  package var store: String
  /// The value; nil where the store lacks it.
  package var value: PropertyListValue?

  /// A stored value from its parts.
  package init(store: String, value: PropertyListValue?) {
    self.store = store
    self.value = value
  }
}
