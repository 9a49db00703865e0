package import Carryover

package struct LintIssue: Error, Hashable, Sendable {
  package var code: LintCode
  package var place: TextPlace
  /// What is wrong and what to do, in whole sentences. It quotes only names of the format and of the file itself.
  package var message: String

  package init(_ code: LintCode, _ place: TextPlace, _ message: String) {
    self.code = code
    self.place = place
    self.message = message
  }
}

/// The stable code of a kind of issue in a recipe file. The hundreds name its subject: 0 reading, 1 names and files,
/// 2 fields and steps, 3 safety, 4 tests, 5 words.
package struct LintCode: Hashable, Sendable {
  package let rawValue: String
  /// A file with an error is not used.
  package let severity: Severity
  /// What such an issue is, what happened and what to do. The title is a part of a sentence.
  package let words: (title: String, happens: String, whatToDo: String)

  private init(_ rawValue: String, _ severity: Severity, _ title: String, _ happens: String, _ whatToDo: String) {
    self.rawValue = rawValue
    self.severity = severity
    words = (title, happens, whatToDo)
  }

  package static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
  package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

  package static let notText = LintCode(
    "R001", .error, "not plain UTF-8 text",
    """
    The file is not UTF-8, or it has an invisible character: a control character, a character that changes \
    the direction of text, a byte order mark, or a carriage return that does not end a line. Such a file can \
    show a person something else than Carryover reads.
    """,
    """
    Save the file as UTF-8 with Unix line ends. If a value needs such a character, quote the text and write \
    it as \\u and four digits.
    """)

  package static let tab = LintCode(
    "R002", .error, "a tab",
    "YAML does not allow tabs in the indentation, and tools disagree about tabs elsewhere, so a recipe has none.",
    "Indent with spaces. In quoted text, write \\t.")

  package static let reference = LintCode(
    "R003", .error, "an anchor, an alias, a tag or a merge key",
    """
    These make one part of the file depend on another part, and have been used to exhaust readers. A recipe \
    says each thing where it belongs.
    """,
    "Write the value again. If the text only begins with such a sign, quote it.")

  package static let duplicateKey = LintCode(
    "R004", .error, "a key occurs twice",
    "A map has the same key twice. YAML readers differ in which value they use.",
    "Remove one of the two.")

  package static let tooLarge = LintCode(
    "R005", .error, "the file is too large",
    """
    The file has more than 256 KiB, a line of more than 4,096 bytes, more than 10,000 values, or values \
    nested deeper than 24 levels. The limits bound what a stranger's file can cost.
    """,
    "Shorten the file. A recipe for one SDK needs a small part of this.")

  package static let severalDocuments = LintCode(
    "R006", .error, "a directive, or a second document",
    "A file contains one recipe, and the text contains no directives.",
    "Put each recipe into a file of its own, and remove lines that begin with %.")

  package static let badEscape = LintCode(
    "R007", .error, "an unknown escape",
    "A text in double quotation marks has a backslash that does not begin a known escape.",
    "Double the backslash, or use single quotation marks, in which a backslash means itself.")

  package static let unclosedQuote = LintCode(
    "R008", .error, "quoted text has no end",
    "A quotation mark opens text that never ends.",
    "Close the text on the same line.")

  package static let layout = LintCode(
    "R009", .error, "a layout that recipes do not use",
    """
    Text over several lines has no | or > before it, or a list or a map in brackets has several lines. \
    Readers fold such lines in ways that are easily missed.
    """,
    """
    Begin text over several lines with |, |-, > or >-. Write long lists with a dash for each item. A file \
    that begins with { is JSON, and its brackets may have several lines.
    """)

  package static let format = LintCode(
    "R010", .error, "not a recipe file",
    "The file does not name its format.",
    "Begin it with: carryover: recipe/1")

  package static let tooNew = LintCode(
    "R011", .error, "a newer format",
    "The file names a format that this version of Carryover does not read, so nothing in it can be judged.",
    "Use a newer version of Carryover.")

  package static let unknownKey = LintCode(
    "R012", .error, "an unknown key",
    "The key means nothing in this place. It may be misspelled, and what it should say would be ignored.",
    """
    Use the nearest key that the message names, or remove it. Keys that begin with x- are for other tools \
    and are allowed.
    """)

  package static let null = LintCode(
    "R013", .error, "an empty value",
    "A key has no value, or the value null.",
    "Write a value, or remove the key. To mean the text null, quote it.")

  package static let oldYAML = LintCode(
    "R014", .warning, "older YAML tools read a different value",
    "Recipes are YAML 1.2, in which this is text. Tools for YAML 1.1 read a boolean, a date or a number instead.",
    "Quote the text.")

  package static let notYAML = LintCode(
    "R015", .error, "not valid YAML",
    "The text does not follow YAML's rules. The sentence names what the parser expected.",
    "Look at the line and at the one before it. A colon or a # in text needs quotation marks around the text.")

  package static let ambiguous = LintCode(
    "R016", .error, "tools disagree about the value",
    "This is a number or a boolean in some YAML tools and text in others.",
    "Write a number as JSON does, or quote the text.")

  package static let wrongValue = LintCode(
    "R017", .error, "a value of the wrong type",
    "The key needs a value of another type, such as a list in place of a text.",
    "Write a value of the type that the message names.")

  package static let missingKey = LintCode(
    "R018", .error, "a required key is missing",
    "A required key is missing in this part of the recipe.",
    "Add the key.")

  package static let badID = LintCode(
    "R101", .error, "the id is not valid",
    "Plans, records and the command line name a recipe by its id, and keys name a parameter.",
    "Use 3 to 64 characters for a recipe, 1 to 32 for a parameter: a to z, 0 to 9 and the hyphen.")

  package static let namedTwice = LintCode(
    "R102", .error, "two fields write one key",
    "Only one value can be written under a key.",
    "Merge the fields: a field can have several sources, and the first one that exists is used.")

  package static let unknownParameter = LintCode(
    "R103", .error, "an unknown parameter",
    "A key or the name of a file has a parameter that the recipe does not have.",
    "Use a parameter of the recipe, or in the name of a file ${bundle-id} or ${write-key}.")

  package static let unusedParameter = LintCode(
    "R104", .warning, "a parameter is not used",
    "No key or file name contains the parameter.",
    "Use it, or remove it.")

  package static let badPath = LintCode(
    "R105", .error, "the path is not valid",
    """
    A recipe reads files directly in Library, Library/Preferences or Library/Caches, or below Library/Application \
    Support or Documents. It writes a .plist file in the same folders, but not in Documents. A path has no .. in it. A \
    suite is named without its folder and without .plist.
    """,
    "Correct the path.")

  package static let purgeablePath = LintCode(
    "R106", .warning, "the file may have been removed by iOS",
    "iOS removes files from Library/Caches if the device needs space.",
    "Nothing, if the SDK has no other file. Otherwise name that one first.")

  package static let sameFile = LintCode(
    "R107", .error, "a file is named twice",
    "The recipe names the same file twice: in read, or once in read and once in write.",
    "Remove one of the two.")

  package static let unreadFile = LintCode(
    "R108", .warning, "nothing reads a file",
    """
    The recipe reads a file under a key that no field reads, and that is not listed in not-migrated, detect or a \
    list of keys. A json: file is only for the checks of a vendor, and the recipe names no vendor.
    """,
    "Add a field or an entry of not-migrated for the key, correct the key, or remove the file.")

  package static let sharedMark = LintCode(
    "R109", .note, "a built-in recipe has the same mark",
    "A built-in recipe has the same key in detect, so both suit the same containers.",
    "Nothing, if the recipe is for the same SDK on purpose. Otherwise remove the key: another SDK writes it too.")

  package static let notDetectable = LintCode(
    "R110", .error, "no key identifies the SDK",
    "Without such a key, Carryover cannot know that the recipe suits a container.",
    "Name at least one key that no other SDK writes.")

  package static let placeholder = LintCode(
    "R112", .error, "a draft does not name the file to write",
    "carryover recipe new cannot know which suite the new SDK reads, and wrote NEW-SUITE in its place.",
    "Write the name of the suite, without its folder and without .plist.")

  package static let wrongForm = LintCode(
    "R201", .error, "the steps cannot give the field's form",
    """
    Whatever the legacy value is, the result of the steps has another type than the new SDK reads. The field \
    would never be written.
    """,
    "Add a step that converts the value, or correct the form.")

  package static let wrongStep = LintCode(
    "R202", .error, "a step cannot follow the one before it",
    "The step accepts none of the types that the step before it gives.",
    "Change the order of the steps, or replace one of them.")

  package static let idleStep = LintCode(
    "R203", .warning, "a step has no effect",
    "The step before gives a value that this step does not change, whatever the value is.",
    "Remove the step, or correct it.")

  package static let unusedSource = LintCode(
    "R206", .warning, "a source of a field is never used",
    "An earlier source of the field reads the same key and member, and the first one that exists is used.",
    "Remove it, or correct its key.")

  package static let partialMap = LintCode(
    "R208", .warning, "a map has an entry for only one of true and false",
    "A boolean can be the other one too. The field would then have no proposal, and Carryover would ask each time.",
    "Add the other entry. If the other value means that there is nothing to migrate, put an only step before the map.")

  package static let family = LintCode(
    "R210", .error, "a recipe with for-each writes a file that it reads",
    "A second run could read keys that the first one wrote, and write more keys.",
    "Write another file, or name the keys instead of for-each.")

  package static let unknownName = LintCode(
    "R212", .error, "an unknown name",
    "Steps, forms, groups, checks, losses and vendors have fixed names.",
    "Use the nearest name that the message gives.")

  package static let badModel = LintCode(
    "R213", .error, "the history of a model is not valid",
    "The versions of a model are not connected, or cannot be distinguished.",
    "Correct what the message names.")

  package static let noSuchField = LintCode(
    "R214", .error, "a field names a field that does not exist",
    "The keys describes, fresh-without and known-with name other fields of the recipe.",
    "Use the nearest name that the message gives, or remove it.")

  package static let clash = LintCode(
    "R215", .error, "a field reads what another one writes",
    "Two fields write one key, or a field reads a key that another field writes in the same file.",
    "Give each field a key of its own, and read only keys that the new SDK does not write.")

  package static let unusedFinding = LintCode(
    "R216", .warning, "a finding is not used",
    "No field names the finding in otherwise, so no plan can have it.",
    "Name it in a field, or remove it.")

  package static let neverMet = LintCode(
    "R217", .error, "a condition can never be met",
    """
    No value of the possible types meets the condition or the requirement: the source would never be used, or the \
    field never written.
    """,
    "Correct the condition, or the form of the field.")

  package static let alwaysMet = LintCode(
    "R218", .warning, "a condition is always met",
    "Whatever the legacy value is, it meets the condition or the requirement, because of its type.",
    "Remove the condition, or correct it.")

  package static let severalGenerations = LintCode(
    "R219", .warning, "nothing says which keys belong together",
    """
    A field of the group identity or traits has sources under several keys. Without generations, the first sources \
    of all these fields count as written together, and so on. If that is wrong, Carryover asks too often, or takes \
    the id of one user and the traits of another.
    """,
    "Add generations: for each version of an SDK, the keys or the files that it writes, the most trusted first.")

  package static let noGeneration = LintCode(
    "R220", .error, "a key belongs to no generation",
    """
    The recipe declares generations, but a field of the group identity or traits reads a key that is in none of them.
    """,
    "Add the key, or a beginning of it with *, to the generation of the SDK's version that writes it.")

  package static let systemTarget = LintCode(
    "R302", .error, "the target belongs to the system",
    "A recipe writes one file, and never a file of the system.",
    "Name the new SDK's own file.")

  package static let valueInFinding = LintCode(
    "R303", .error, "the words of a finding contain a value",
    """
    The words of a recipe's own finding are the same for every container. A value of a container in them could show \
    what is masked elsewhere.
    """,
    "Name the field or the key instead of the value.")

  package static let hiddenCharacter = LintCode(
    "R304", .error, "a hidden character in a text for people",
    """
    A title or a reason has an invisible or controlling character, written as an escape. It could pose as \
    other text.
    """,
    "Remove it.")

  package static let unmaskedSecret = LintCode(
    "R305", .warning, "a value looks like a secret and is not masked",
    "The key's name says that its value is a password, a secret or a token, and plans and reports would show it.",
    "Do not migrate it: list it in not-migrated with secret: true. If it is not a secret, allow the warning in lint.")

  package static let noOptOut = LintCode(
    "R306", .warning, "opt-outs could be lost",
    """
    If the legacy SDK stores opt-outs, the new SDK could track users who opted out after the migration. The recipe \
    says nothing about opt-outs, or a map in a field of the group consent has no result that says true.
    """,
    """
    Add a field of the group consent, or opt-out-keys: an empty list says that the SDK stores no opt-out. Give the \
    map the result true for each value that says that the user opted out.
    """)

  package static let noTests = LintCode(
    "R402", .note, "the recipe has no tests",
    "Without tests, nobody can see whether a change to the recipe changes what it migrates.",
    "Add a test for each kind of user.")

  package static let noDamage = LintCode(
    "R403", .note, "no test has missing or unusual data",
    """
    In every test, each field that the test names has a usable value. Containers of real users also have values of \
    other types, and files that are missing or damaged.
    """,
    "Add a test with such a value, and expect the field to be absent, undecided or not-migrated.")

  package static let badWords = LintCode(
    "R501", .warning, "words that are too long, or not a sentence",
    """
    A title has more than 72 characters, which do not fit on screens, or a reason, a message or a remedy does not end \
    like a sentence.
    """,
    "Shorten the title, or write a whole sentence with a full stop.")

  package static let noSources = LintCode(
    "R502", .note, "the recipe does not name its sources",
    "A reviewer cannot check what the recipe says about the SDKs.",
    "List in sources-read what you read: the public sources of an SDK with their version, or its documentation.")

  package static let allCases: [LintCode] = [
    .notText, .tab, .reference, .duplicateKey, .tooLarge, .severalDocuments, .badEscape, .unclosedQuote, .layout,
    .format, .tooNew, .unknownKey, .null, .oldYAML, .notYAML, .ambiguous, .wrongValue, .missingKey, .badID, .namedTwice,
    .unknownParameter, .unusedParameter, .badPath, .purgeablePath, .sameFile, .unreadFile, .sharedMark, .notDetectable,
    .placeholder, .wrongForm, .wrongStep, .idleStep, .unusedSource, .partialMap, .family, .unknownName, .badModel,
    .noSuchField, .clash, .unusedFinding, .neverMet, .alwaysMet, .severalGenerations, .noGeneration, .systemTarget,
    .valueInFinding, .hiddenCharacter, .unmaskedSecret, .noOptOut, .noTests, .noDamage, .badWords, .noSources,
  ]
}
