extension LintCode {
  /// The words of codes about a recipe that can be followed, but could be better, and about its conditions and its own findings.
  var adviceWords: (title: String, happens: String, whatToDo: String) {
    switch self {
    case .unreadFile:
      (
        "nothing reads a file",
        """
        The recipe reads a file under a key that no field reads, and that is not listed in not-migrated, detect or a \
        list of keys. A json: file is only for the checks of a vendor, and the recipe names no vendor.
        """,
        "Add a field or an entry of not-migrated for the key, correct the key, or remove the file."
      )
    case .sharedMark:
      (
        "a built-in recipe has the same mark",
        "A built-in recipe has the same key in detect, so both suit the same containers.",
        "Nothing, if the recipe is for the same SDK on purpose. Otherwise remove the key: another SDK writes it too."
      )
    case .idleStep:
      (
        "a step has no effect",
        "The step before gives a value that this step does not change, whatever the value is.",
        "Remove the step, or correct it."
      )
    case .partialMap:
      (
        "a map has an entry for only one of true and false",
        "A boolean can be the other one too. The field would then have no proposal, and Carryover would ask each time.",
        "Add the other entry. If the other value means that there is nothing to migrate, put an only step before the map."
      )
    case .noOptOut:
      (
        "opt-outs could be lost",
        """
        If the legacy SDK stores opt-outs, the new SDK could track users who opted out after the migration. The recipe \
        says nothing about opt-outs, or a map in a field of the group consent has no result that says true.
        """,
        """
        Add a field of the group consent, or opt-out-keys: an empty list says that the SDK stores no opt-out. Give the \
        map the result true for each value that says that the user opted out.
        """
      )
    case .family:
      (
        "a recipe with for-each writes a file that it reads",
        "A second run could read keys that the first one wrote, and write more keys.",
        "Write another file, or name the keys instead of for-each."
      )
    case .neverMet:
      (
        "a condition can never be met",
        """
        No value of the possible types meets the condition or the requirement: the source would never be used, or the \
        field never written.
        """,
        "Correct the condition, or the form of the field."
      )
    case .alwaysMet:
      (
        "a condition is always met",
        "Whatever the legacy value is, it meets the condition or the requirement, because of its type.",
        "Remove the condition, or correct it."
      )
    case .severalGenerations:
      (
        "nothing says which keys belong together",
        """
        A field of the group identity or traits has sources under several keys. Without generations, the first sources \
        of all these fields count as written together, and so on. If that is wrong, Carryover asks too often, or takes \
        the id of one user and the traits of another.
        """,
        "Add generations: for each version of an SDK, the keys or the files that it writes, the most trusted first."
      )
    case .noGeneration:
      (
        "a key belongs to no generation",
        """
        The recipe declares generations, but a field of the group identity or traits reads a key that is in none of them.
        """,
        "Add the key, or a beginning of it with *, to the generation of the SDK's version that writes it."
      )
    case .unusedFinding:
      (
        "a finding is not used",
        "No field names the finding in otherwise, so no plan can have it.",
        "Name it in a field, or remove it."
      )
    case .valueInFinding:
      (
        "the words of a finding contain a value",
        """
        The words of a recipe's own finding are the same for every container. A value of a container in them could show \
        what is masked elsewhere.
        """,
        "Name the field or the key instead of the value."
      )
    case .noTests:
      (
        "the recipe has no tests",
        "Without tests, nobody can see whether a change to the recipe changes what it migrates.",
        "Add a test for each kind of user."
      )
    case .noDamage:
      (
        "no test has missing or unusual data",
        """
        In every test, each field that the test names has a usable value. Containers of real users also have values of \
        other types, and files that are missing or damaged.
        """,
        "Add a test with such a value, and expect the field to be absent, undecided or not-migrated."
      )
    case .badWords:
      (
        "words that are too long, or not a sentence",
        """
        A title has more than 72 characters, which do not fit on screens, or a reason, a message or a remedy does not end \
        like a sentence.
        """,
        "Shorten the title, or write a whole sentence with a full stop."
      )
    case .noSources:
      (
        "the recipe does not name its sources",
        "A reviewer cannot check what the recipe says about the SDKs.",
        "List in sources-read what you read: the public sources of an SDK with their version, or its documentation."
      )
    default: ("", "", "")
    }
  }
}
