/// What is known about the findings on the legacy stores.
extension Explanation {
  static let sourceDisagree = Explanation(
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
    whatToDo: "Confirm the preferences' value, or take the other one if it is known to be right.")

  static let sourceNotFound = Explanation(
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
      """)

  static let sourcePartial = Explanation(
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
    whatToDo: "Nothing has to be done: each key comes from the first store that has it.")

  static let sourceStale = Explanation(
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
    whatToDo: "Nothing has to be done. Skip a field if you know that the app removed its value on purpose.")

  static let sourceUnreadable = Explanation(
    title: "a legacy file is damaged",
    happens: "A legacy file is there and cannot be read: it is empty, cut off or damaged, or no dictionary.",
    legacyReads: """
      The legacy SDK writes every value to the preferences and to its own file, and reads the preferences first.
      """,
    guideSays: "The guide does not say what to do with a damaged file. Corrupt traits are the only damage it names.",
    helperWrites: "The helper falls back to the preferences without a word, then deletes the damaged file.",
    weWrite: "Carryover reads what the other stores hold, reports the file with the reason, and leaves it as it is.",
    whatToDo: "Ask for the container again if the data in the file matters.")

  static let sourceWrongType = Explanation(
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
    whatToDo: "Confirm the proposal, edit the field to true or false, or skip it.")
}
