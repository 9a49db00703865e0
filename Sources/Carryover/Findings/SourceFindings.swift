package import PropertyLists

extension FindingCode {
  /// Two stores have different values for a key.
  package static let sourceDisagree = FindingCode(
    "source.disagree", .error, .asks,
    Explanation(
      title: "two stores, or two entries in one file, lead to different proposals",
      happens: "Two legacy stores have different values for a key, or one file has the key twice.",
      legacyReads: """
        That depends on the legacy SDK. One that copies the preferences to a file of its own takes the preferences' value.
        """,
      guideSays: """
        The guide reads the file for 1.25.2 and later, and the preferences for earlier versions. It does not mention \
        stores that disagree.
        """,
      helperWrites: "The vendor's migrator takes the file's value, unless it can read none of the file's values.",
      weWrite: """
        Carryover proposes the value of the store that the recipe reads first. It shows both, and asks if a field's \
        proposal depends on them.
        """,
      whatToDo: "Accept this value, or choose the other one if you know that it is right."))
}

extension Observation {
  /// Two stores have different values for a key.
  package static func sourceDisagree(key: String, values: [StoredValue]) -> Observation {
    let stores = Set(values.map(\.store))
    func list(_ piece: (StoredValue) -> FindingText) -> FindingText { "\(list: values.map(piece), limit: .max)" }
    guard stores.count > 1 else {
      let held = list { $0.value.map { "\(shown: $0)" } ?? "nothing" }
      return Observation(
        .sourceDisagree,
        """
        \(file: values.first?.store ?? "") has \(key) more than once: \(held). Carryover proposes the first, which \
        the system reads.
        """,
        remedy: "Accept the value that is read, or choose another one.", detail: key)
    }
    let held = list { "\(file: $0.store) has \($0.value.map { "\(shown: $0)" } ?? "nothing")" }
    return Observation(
      .sourceDisagree,
      """
      The stores disagree on \(key): \(held). Carryover proposes the value of \(file: values.first?.store ?? ""), which \
      the recipe reads first.
      """,
      remedy: "Accept this value, or choose the other one.",
      detail: key, verdict: .cause("the stores disagree on \(key)"))
  }
}

extension FindingCode {
  /// The legacy SDK has left nothing to migrate.
  package static let sourceNotFound = FindingCode(
    "source.not-found", .note, .informs,
    Explanation(
      title: "there is no legacy data to migrate",
      happens: """
        The container has none of the values that Carryover migrates. The app was uninstalled before the update, or \
        never had the legacy SDK. Or the values were deleted, for example by the vendor's migrator after a migration. \
        Or they are in a place that this recipe does not read.
        """,
      legacyReads: "The legacy SDK has nothing to read either, and would make a new anonymous id.",
      guideSays: "The guide says that no migration is needed: the new SDK generates new values automatically.",
      helperWrites: "The vendor's migrator writes nothing.",
      weWrite: "Carryover writes nothing, and notes why. This is not a failure.",
      whatToDo: """
        Do nothing: the new SDK makes its own values. If the app had the legacy SDK, check that you opened the right \
        container and that it is complete.
        """))
}

extension Observation {
  /// The legacy SDK has left nothing to migrate.
  package static func sourceNotFound(_ sdk: String) -> Observation {
    Observation(
      .sourceNotFound,
      """
      There is nothing to migrate: the container has no values of \(sdk). The app was uninstalled before the update, \
      never had the SDK, its values were deleted, or they are in a place that this recipe does not read.
      """,
      remedy: """
        Nothing to do: the new SDK makes its own values. If the app had the legacy SDK, check that this is its \
        container.
        """)
  }
}

extension FindingCode {
  /// A store lacks keys of the store before it.
  package static let sourcePartial = FindingCode(
    "source.partial", .note, .informs,
    Explanation(
      title: "the file lacks keys that the preferences have",
      happens: "A store lacks keys of an earlier one: for example, the SDK's own file lacks keys of the preferences.",
      legacyReads: "A legacy SDK with two stores usually reads key by key, one store first.",
      guideSays: """
        The guide names one place for all values, depending on the version of the legacy SDK. It does not merge the \
        file and the preferences.
        """,
      helperWrites: """
        The vendor's migrator reads one store and never merges: the other store's values are lost. It takes the \
        preferences only if it can read none of the file's values.
        """,
      weWrite: "Carryover reads each key from the first store that has it, in the order of the recipe.",
      whatToDo: "Do nothing: each key comes from the first store that has it."))
}

extension Observation {
  /// A store lacks keys of the store before it.
  package static func sourcePartial(store: String, keys: [String], first: String) -> Observation {
    Observation(
      .sourcePartial,
      "Only \(file: first) has \(list: keys). Carryover reads this file and \(file: store) key by key.",
      remedy: "Nothing to do: each key comes from the first store that has it.")
  }
}

extension FindingCode {
  /// A store is in a folder that the system may empty.
  package static let sourcePurgeable = FindingCode(
    "source.purgeable", .note, .informs,
    Explanation(
      title: "a legacy file is in the caches",
      happens: "The legacy SDK's own file is in Library/Caches, which the system may empty when it needs space.",
      legacyReads: """
        On tvOS, the legacy SDK has no other place for its file. If the system removes the file, the preferences still \
        have the values.
        """,
      guideSays: "The guide names the folder. It does not say that the system may empty it.",
      helperWrites: "The vendor's migrator reads the file if it is still there, and deletes it afterwards.",
      weWrite: "Carryover reads the file and the preferences key by key, and removes nothing from either.",
      whatToDo: "Do nothing. If a value is missing that should be there, ask for a newer container."))
}

extension Observation {
  /// A store is in a folder that the system may empty.
  package static func sourcePurgeable(store: String) -> Observation {
    Observation(
      .sourcePurgeable,
      """
      Values may be missing: \(file: store) is in Library/Caches, which the system may empty at any time.
      """,
      remedy: "Nothing to do. If a value is missing, ask for a newer container.")
  }
}

extension FindingCode {
  /// A later store has keys that the first one lacks.
  package static let sourceStale = FindingCode(
    "source.stale", .note, .informs,
    Explanation(
      title: "only the file has these keys",
      happens: """
        Only a later store, such as the SDK's own file, has certain keys. The store before it never had them, or they \
        were removed or lost.
        """,
      legacyReads: """
        A legacy SDK that copies the preferences to a file of its own removes a value from both stores, and restores \
        from the file what the preferences lack.
        """,
      guideSays: "The guide does not say that a value in the file may be one the app has removed.",
      helperWrites: "The vendor's migrator takes the file's values.",
      weWrite: "Carryover migrates these values too, and names the keys.",
      whatToDo: "Do nothing. Skip a field if you know that the app removed its value on purpose."))
}

extension Observation {
  /// A later store has keys that the first one lacks.
  package static func sourceStale(store: String, keys: [String], first: String) -> Observation {
    let (values, were) = keys.count == 1 ? ("Its value is", "it was") : ("Their values are", "they were")
    return Observation(
      .sourceStale,
      """
      Only \(file: store) has \(list: keys). \(words: values) migrated. \(file: first), which the recipe reads first, \
      never had the \(words: keys.count == 1 ? "key" : "keys"), or \(words: were) removed or lost.
      """,
      remedy: "Nothing to do. Skip a field if the app removed its value on purpose.")
  }
}

extension FindingCode {
  /// A store could not be read.
  package static let sourceUnreadable = FindingCode(
    "source.unreadable", .warning, .informs,
    Explanation(
      title: "a legacy file is damaged",
      happens: "A legacy file is there but cannot be read: it is empty, truncated or damaged, or not a dictionary.",
      legacyReads: """
        A legacy SDK with two stores reads the other one. One with a single store starts without these values.
        """,
      guideSays: """
        The guide does not say what to do with a damaged file. Corrupt traits are the only damage it mentions.
        """,
      helperWrites: "The vendor's migrator silently reads the preferences instead, then deletes the damaged file.",
      weWrite: "Carryover reads the other stores, reports the file and the reason, and does not change the file.",
      whatToDo: "Ask for the container again if the data in the file matters."))
}

extension Observation {
  /// A store could not be read.
  package static func sourceUnreadable(store: String, reason: String) -> Observation {
    Observation(
      .sourceUnreadable, "The values in \(file: store) are not migrated: it cannot be read. \(reason, limit: 300)",
      remedy: "Ask for the container again if the data in this file matters. Carryover does not change the file.",
      verdict: .doubt("\(file: store) cannot be read"))
  }
}

extension FindingCode {
  /// A legacy value has a type that the legacy SDK never writes under its key.
  package static let sourceWrongType = FindingCode(
    "source.wrong-type", .warning, .asks, brief: "wrong type",
    Explanation(
      title: "a value has a type the legacy SDK does not write there",
      happens: """
        A legacy value has a type that the legacy SDK does not write there, such as a number for the tracking status, \
        which is a boolean.
        """,
      legacyReads: "The legacy SDK reads a number as true unless it is zero.",
      guideSays: "The guide expects a boolean. It does not say what a value of another type means.",
      helperWrites:
        "The vendor's migrator reads zero as false and any other number as true, and writes nothing for other types.",
      weWrite: """
        Carryover reads a number as the legacy SDK does, proposes the boolean that results, and asks. Values of other \
        types have no proposal.
        """,
      whatToDo: "Accept the proposal, edit the field to true or false, or skip it."))
}

extension Observation {
  /// A legacy value has a type that the legacy SDK never writes under its key.
  package static func sourceWrongType(key: String, _ value: PropertyListValue) -> Observation {
    Observation(
      .sourceWrongType,
      "\(key) is \(typed: value), which the legacy SDK does not write there.",
      remedy:
        "Accept the proposal if there is one, edit the field, or skip it.",
      verdict: .cause("\(key) is \(kindOf: value), which the legacy SDK does not write there"))
  }
}

/// A value and its store.
package struct StoredValue: Hashable, Sendable {
  /// The store's path in the container.
  @StringByBytes package var store: String
  /// The value; nil if the store has none.
  package var value: PropertyListValue?

  /// A stored value from its parts.
  package init(store: String, value: PropertyListValue?) {
    self.store = store
    self.value = value
  }
}
