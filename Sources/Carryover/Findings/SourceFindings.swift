package import PropertyLists

extension FindingCode {
  static let sourceCodes: [FindingCode] = [
    .sourceDisagree, .sourceNotFound, .sourcePartial, .sourcePurgeable, .sourceStale, .sourceUnreadable,
    .sourceWrongType, .sourceNotConverted, .sourceNotAsRequired, .sourceElsewhere, .sourceRefused,
  ]

  package static let sourceDisagree = FindingCode(
    "source.disagree", .error, .asks,
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
    whatToDo: "Accept this value, or choose the other one if you know that it is right.")

  package static let sourceNotFound = FindingCode(
    "source.not-found", .note, .informs,
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
      """)

  package static let sourcePartial = FindingCode(
    "source.partial", .note, .informs,
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
    whatToDo: "Do nothing: each key comes from the first store that has it.")

  package static let sourcePurgeable = FindingCode(
    "source.purgeable", .note, .informs,
    title: "a legacy file is in the caches",
    happens: "The legacy SDK's own file is in Library/Caches, which the system may empty when it needs space.",
    legacyReads: """
      On tvOS, the legacy SDK has no other place for its file. If the system removes it, only an SDK that also writes \
      the preferences still has the values.
      """,
    guideSays: "The guide names the folder. It does not say that the system may empty it.",
    helperWrites: "The vendor's migrator reads the file if it is still there, and deletes it afterwards.",
    weWrite: "Carryover reads the file and the preferences key by key, and removes nothing from either.",
    whatToDo: "Do nothing. If a value is missing that should be there, ask for a newer container.")

  package static let sourceStale = FindingCode(
    "source.stale", .note, .informs,
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
    whatToDo: "Do nothing. Skip a field if you know that the app removed its value on purpose.")

  package static let sourceUnreadable = FindingCode(
    "source.unreadable", .warning, .informs,
    title: "a legacy file is damaged",
    happens: "A legacy file is there but cannot be read: it is empty, truncated or damaged, or not a dictionary.",
    legacyReads:
      "A legacy SDK with two stores reads the other one. One with a single store starts without these values.",
    guideSays: "The guide does not say what to do with a damaged file. Corrupt traits are the only damage it mentions.",
    helperWrites: "The vendor's migrator silently reads the preferences instead, then deletes the damaged file.",
    weWrite: "Carryover reads the other stores, reports the file and the reason, and does not change the file.",
    whatToDo: "Ask for the container again if the data in the file matters.")

  package static let sourceWrongType = FindingCode(
    "source.wrong-type", .warning, .asks, brief: "wrong type",
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
    whatToDo: "Accept the proposal, set the field to true or false, or skip it.")

  package static let sourceNotConverted = FindingCode(
    "source.not-converted", .warning, .asks, brief: "not converted",
    title: "a legacy value does not fit a step of the recipe",
    happens: """
      The legacy value has a type that the recipe expects, but a step has no result for it: for example, it is text \
      that is not a JSON object, or a number with a fraction where the new SDK needs an integer. A step also has no \
      result if the steps of the plan would produce more than 256 MiB in total.
      """,
    legacyReads: "Whether the legacy SDK reads such a value depends on the SDK.",
    guideSays: "The guide of a vendor may or may not mention such values.",
    helperWrites: "A migrator that does not check the value may write something that the new SDK cannot read.",
    weWrite: "Carryover proposes nothing, names the step and the reason, and asks.",
    whatToDo: "Edit the field if you know the value, or skip it.")

  package static let sourceNotAsRequired = FindingCode(
    "source.not-as-required", .warning, .asks, brief: "not as required",
    title: "a legacy value is not what the recipe requires",
    happens: """
      The recipe says what the value of a field must be, such as a UUID or text that is not empty. The legacy value \
      is something else.
      """,
    legacyReads: "The legacy SDK may read the value or ignore it.",
    guideSays: "The guide says nothing about what a recipe requires.",
    helperWrites: "A migrator that does not check the value writes it.",
    weWrite: "Carryover proposes nothing, names the requirement, and asks.",
    whatToDo: "Skip the field, or set it to a value that the new SDK accepts.")

  package static let sourceElsewhere = FindingCode(
    "source.elsewhere", .warning, .informs,
    title: "the SDK has data in a place that the recipe does not read",
    happens: """
      An SDK's version, platform or settings can change where it stores data: another folder, an app group, a second \
      instance. The container has data in such a place, which the recipe knows but does not read.
      """,
    legacyReads: "The version of the legacy SDK that stored the data there reads it there.",
    guideSays: "The guide of a vendor seldom mentions these places.",
    helperWrites: "Whether the vendor's migrator reads the place depends on the vendor and the version.",
    weWrite:
      "Carryover migrates nothing from there, names the file or the keys, and says that the verdict is not certain.",
    whatToDo:
      "If the app used this place, edit the fields by hand, or write a recipe that reads it. Otherwise do nothing.")

  package static let sourceRefused = FindingCode(
    "source.refused-by-apple", .warning, .asks,
    title: "Apple's readers refuse a file",
    happens: """
      Carryover reads a property list that Apple's readers refuse. A tool wrote or changed it. On the \
      device, an app and its SDKs find no values in the file.
      """,
    legacyReads: "The legacy SDK reads with Apple's readers, so it finds no values in the file.",
    guideSays: "The guide does not mention such files.",
    helperWrites: "The vendor's migrator reads with Apple's readers, too, and migrates nothing from the file.",
    weWrite: "Carryover proposes the file's values and asks about each of them.",
    whatToDo: """
      If the container is as the device had it, the app has already lost these values: accept them to give them back. \
      If a tool changed the file, use the original.
      """)
}

extension Observation {
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

  /// - Parameter isOne: whether a property list was given, and not the container it is from.
  package static func sourceNotFound(_ sdk: String, inOneFile isOne: Bool = false) -> Observation {
    Observation(
      .sourceNotFound,
      """
      There is nothing to migrate: the \(words: isOne ? "property list" : "container") has no values of \(sdk). The \
      app was uninstalled before the update or never had the SDK, or its values were deleted or are in \
      \(words: isOne ? "a file that was not given" : "a place that this recipe does not read").
      """,
      remedy: """
        Nothing to do: the new SDK makes its own values. If the app had the legacy SDK, \
        \(words: isOne ? "give its whole container" : "check that this is its container").
        """)
  }

  package static func sourcePartial(store: String, keys: [String], first: String) -> Observation {
    Observation(
      .sourcePartial, "Only \(file: first) has \(list: keys). Carryover reads this file and \(file: store) key by key.",
      remedy: "Nothing to do: each key comes from the first store that has it.")
  }

  package static func sourcePurgeable(store: String) -> Observation {
    Observation(
      .sourcePurgeable,
      "Values may be missing: \(file: store) is in Library/Caches, which the system may empty at any time.",
      remedy: "Nothing to do. If a value is missing, ask for a newer container.")
  }

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

  package static func sourceUnreadable(store: String, reason: String) -> Observation {
    Observation(
      .sourceUnreadable, "The values in \(file: store) are not migrated: it cannot be read. \(reason, limit: 300)",
      remedy: "Ask for the container again if the data in this file matters. Carryover does not change the file.",
      verdict: .doubt("\(file: store) cannot be read"))
  }

  package static func sourceWrongType(key: String, _ value: PropertyListValue) -> Observation {
    Observation(
      .sourceWrongType, "\(key) is \(typed: value), which the legacy SDK does not write there.",
      remedy: "Accept the proposal if there is one, edit the field, or skip it.",
      verdict: .cause("\(key) is \(kindOf: value), which the legacy SDK does not write there"))
  }

  /// - Parameters:
  ///   - step: the step in a few words.
  ///   - reason: a sentence.
  package static func sourceNotConverted(key: String, step: String, _ reason: FindingText) -> Observation {
    Observation(
      .sourceNotConverted, "The step “\(words: step)” cannot convert the value: \(reason)",
      verdict: .cause("\(key) cannot be converted"))
  }

  /// - Parameter requirement: what the value must be, in words of the recipe.
  package static func sourceNotAsRequired(key: String, requirement: String) -> Observation {
    Observation(
      .sourceNotAsRequired, "\(key) is not what the recipe requires: \(words: requirement).",
      remedy: "Edit the field if you know the value, or skip it.", verdict: .cause("\(key) is not as required"))
  }

  /// - Parameters:
  ///   - suite: the file with the keys, which the names are; nil if these are files.
  ///   - reason: the recipe's own sentence.
  package static func sourceElsewhere(
    _ sdk: String, _ names: [String], in suite: String? = nil, _ reason: String
  ) -> Observation {
    let shown = names.map { "\($0, limit: 160)" as FindingText }
    let suite: FindingText = suite.map { " in \(file: $0)" } ?? ""
    return Observation(
      .sourceElsewhere, "\(words: sdk) has data here that is not migrated: \(list: shown)\(suite). \(words: reason)",
      remedy: "If the app used this place, edit the fields by hand, or write a recipe that reads it.",
      verdict: .doubt("\(file: names.first ?? "")\(suite) is not read"))
  }

  package static func sourceRefused(store: String, reason: String) -> Observation {
    Observation(
      .sourceRefused, "An app finds no values in \(file: store). \(reason, limit: 300)",
      remedy: "Accept the value to give it back, or skip it. If a tool changed the file, use the original.",
      verdict: .doubt("Apple's readers refuse \(file: store), so the app reads nothing from it"))
  }
}

package struct StoredValue: Hashable, Sendable {
  @StringByBytes package var store: String
  package var value: PropertyListValue?
}
