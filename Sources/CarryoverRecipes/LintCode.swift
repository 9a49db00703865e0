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
package enum LintCode: String, CaseIterable, Sendable {
  case notText = "R001"
  case tab = "R002"
  case reference = "R003"
  case duplicateKey = "R004"
  case tooLarge = "R005"
  case severalDocuments = "R006"
  case badEscape = "R007"
  case unclosedQuote = "R008"
  case layout = "R009"
  case format = "R010"
  case tooNew = "R011"
  case unknownKey = "R012"
  case null = "R013"
  case oldYAML = "R014"
  case notYAML = "R015"
  case ambiguous = "R016"
  case wrongValue = "R017"
  case missingKey = "R018"

  case badID = "R101"
  case namedTwice = "R102"
  case unknownParameter = "R103"
  case unusedParameter = "R104"
  case badPath = "R105"
  case purgeablePath = "R106"
  case sameFile = "R107"
  case unreadFile = "R108"
  case sharedMark = "R109"
  case notDetectable = "R110"
  case placeholder = "R112"

  case wrongForm = "R201"
  case wrongStep = "R202"
  case idleStep = "R203"
  case unusedSource = "R206"
  case partialMap = "R208"
  case family = "R210"
  case unknownName = "R212"
  case badModel = "R213"
  case noSuchField = "R214"
  case clash = "R215"
  case unusedFinding = "R216"
  case neverMet = "R217"
  case alwaysMet = "R218"
  case severalGenerations = "R219"
  case noGeneration = "R220"

  case systemTarget = "R302"
  case valueInFinding = "R303"
  case hiddenCharacter = "R304"
  case unmaskedSecret = "R305"
  case noOptOut = "R306"

  case noTests = "R402"
  case noDamage = "R403"

  case badWords = "R501"
  case noSources = "R502"

  /// The severity: a file with an error is not used.
  package var severity: Severity {
    switch self {
    case .oldYAML, .unusedParameter, .purgeablePath, .unreadFile, .idleStep, .unusedSource, .partialMap, .unusedFinding,
      .alwaysMet, .severalGenerations, .unmaskedSecret, .noOptOut, .badWords:
      .warning
    case .sharedMark, .noTests, .noDamage, .noSources: .note
    default: .error
    }
  }

  /// What such an issue is, what happened and what to do. The title is a part of a sentence.
  package var words: (title: String, happens: String, whatToDo: String) {
    switch self {
    case .notText:
      say(
        "not plain UTF-8 text",
        """
        The file is not UTF-8, or it has an invisible character: a control character, a character that changes \
        the direction of text, a byte order mark, or a carriage return that does not end a line. Such a file can \
        show a person something else than Carryover reads.
        """,
        """
        Save the file as UTF-8 with Unix line ends. If a value needs such a character, quote the text and write \
        it as \\u and four digits.
        """)
    case .tab:
      say(
        "a tab",
        "YAML does not allow tabs in the indentation, and tools disagree about tabs elsewhere, so a recipe has none.",
        "Indent with spaces. In quoted text, write \\t.")
    case .reference:
      say(
        "an anchor, an alias, a tag or a merge key",
        """
        These make one part of the file depend on another part, and have been used to exhaust readers. A recipe \
        says each thing where it belongs.
        """,
        "Write the value again. If the text only begins with such a sign, quote it.")
    case .duplicateKey:
      say(
        "a key occurs twice",
        "A map has the same key twice. YAML readers differ in which value they use.",
        "Remove one of the two.")
    case .tooLarge:
      say(
        "the file is too large",
        """
        The file has more than 256 KiB, a line of more than 4,096 bytes, more than 10,000 values, or values \
        nested deeper than 24 levels. The limits bound what a stranger's file can cost.
        """,
        "Shorten the file. A recipe for one SDK needs a small part of this.")
    case .severalDocuments:
      say(
        "a directive, or a second document",
        "A file contains one recipe, and the text contains no directives.",
        "Put each recipe into a file of its own, and remove lines that begin with %.")
    case .badEscape:
      say(
        "an unknown escape",
        "A text in double quotation marks has a backslash that does not begin a known escape.",
        "Double the backslash, or use single quotation marks, in which a backslash means itself.")
    case .unclosedQuote:
      say(
        "quoted text has no end",
        "A quotation mark opens text that never ends.",
        "Close the text on the same line.")
    case .layout:
      say(
        "a layout that recipes do not use",
        """
        Text over several lines has no | or > before it, or a list or a map in brackets has several lines. \
        Readers fold such lines in ways that are easily missed.
        """,
        """
        Begin text over several lines with |, |-, > or >-. Write long lists with a dash for each item. A file \
        that begins with { is JSON, and its brackets may have several lines.
        """)
    case .format:
      say(
        "not a recipe file",
        "The file does not name its format.",
        "Begin it with: carryover: recipe/1")
    case .tooNew:
      say(
        "a newer format",
        "The file names a format that this version of Carryover does not read, so nothing in it can be judged.",
        "Use a newer version of Carryover.")
    case .unknownKey:
      say(
        "an unknown key",
        "The key means nothing in this place. It may be misspelled, and what it should say would be ignored.",
        """
        Use the nearest key that the message names, or remove it. Keys that begin with x- are for other tools \
        and are allowed.
        """)
    case .null:
      say(
        "an empty value",
        "A key has no value, or the value null.",
        "Write a value, or remove the key. To mean the text null, quote it.")
    case .oldYAML:
      say(
        "older YAML tools read a different value",
        "Recipes are YAML 1.2, in which this is text. Tools for YAML 1.1 read a boolean, a date or a number instead.",
        "Quote the text.")
    case .notYAML:
      say(
        "not valid YAML",
        "The text does not follow YAML's rules. The sentence names what the parser expected.",
        "Look at the line and at the one before it. A colon or a # in text needs quotation marks around the text.")
    case .ambiguous:
      say(
        "tools disagree about the value",
        "This is a number or a boolean in some YAML tools and text in others.",
        "Write a number as JSON does, or quote the text.")
    case .wrongValue:
      say(
        "a value of the wrong type",
        "The key needs a value of another type, such as a list in place of a text.",
        "Write a value of the type that the message names.")
    case .missingKey:
      say(
        "a required key is missing",
        "A required key is missing in this part of the recipe.",
        "Add the key.")
    case .badID:
      say(
        "the id is not valid",
        "Plans, records and the command line name a recipe by its id, and keys name a parameter.",
        "Use 3 to 64 characters for a recipe, 1 to 32 for a parameter: a to z, 0 to 9 and the hyphen.")
    case .namedTwice:
      say(
        "two fields write one key",
        "Only one value can be written under a key.",
        "Merge the fields: a field can have several sources, and the first one that exists is used.")
    case .unknownParameter:
      say(
        "an unknown parameter",
        "A key or the name of a file has a parameter that the recipe does not have.",
        "Use a parameter of the recipe, or in the name of a file ${bundle-id} or ${write-key}.")
    case .unusedParameter:
      say(
        "a parameter is not used",
        "No key or file name contains the parameter.",
        "Use it, or remove it.")
    case .badPath:
      say(
        "the path is not valid",
        """
        A recipe reads files directly in Library, Library/Preferences or Library/Caches, or below Library/Application \
        Support or Documents. It writes a .plist file in the same folders, but not in Documents. A path has no .. in it. A \
        suite is named without its folder and without .plist.
        """,
        "Correct the path.")
    case .purgeablePath:
      say(
        "the file may have been removed by iOS",
        "iOS removes files from Library/Caches if the device needs space.",
        "Nothing, if the SDK has no other file. Otherwise name that one first.")
    case .sameFile:
      say(
        "a file is named twice",
        "The recipe names the same file twice: in read, or once in read and once in write.",
        "Remove one of the two.")
    case .notDetectable:
      say(
        "no key identifies the SDK",
        "Without such a key, Carryover cannot know that the recipe suits a container.",
        "Name at least one key that no other SDK writes.")
    case .placeholder:
      say(
        "a draft does not name the file to write",
        "carryover recipe new cannot know which suite the new SDK reads, and wrote NEW-SUITE in its place.",
        "Write the name of the suite, without its folder and without .plist.")
    case .wrongForm:
      say(
        "the steps cannot give the field's form",
        """
        Whatever the legacy value is, the result of the steps has another type than the new SDK reads. The field \
        would never be written.
        """,
        "Add a step that converts the value, or correct the form.")
    case .wrongStep:
      say(
        "a step cannot follow the one before it",
        "The step accepts none of the types that the step before it gives.",
        "Change the order of the steps, or replace one of them.")
    case .unusedSource:
      say(
        "a source of a field is never used",
        "An earlier source of the field reads the same key and member, and the first one that exists is used.",
        "Remove it, or correct its key.")
    case .unknownName:
      say(
        "an unknown name",
        "Steps, forms, groups, checks, losses and vendors have fixed names.",
        "Use the nearest name that the message gives.")
    case .badModel:
      say(
        "the history of a model is not valid",
        "The versions of a model are not connected, or cannot be distinguished.",
        "Correct what the message names.")
    case .noSuchField:
      say(
        "a field names a field that does not exist",
        "The keys describes and fresh-without name other fields of the recipe.",
        "Use the nearest name that the message gives, or remove it.")
    case .clash:
      say(
        "a field reads what another one writes",
        "Two fields write one key, or a field reads a key that another field writes in the same file.",
        "Give each field a key of its own, and read only keys that the new SDK does not write.")
    case .systemTarget:
      say(
        "the target belongs to the system",
        "A recipe writes one file, and never a file of the system.",
        "Name the new SDK's own file.")
    case .unmaskedSecret:
      say(
        "a value looks like a secret and is not masked",
        "The key's name says that its value is a password, a secret or a token, and plans and reports would show it.",
        "Do not migrate it: list it in not-migrated with secret: true. If it is not a secret, allow the warning in lint."
      )
    case .hiddenCharacter:
      say(
        "a hidden character in a text for people",
        """
        A title or a reason has an invisible or controlling character, written as an escape. It could pose as \
        other text.
        """,
        "Remove it.")
    case .unreadFile:
      say(
        "nothing reads a file",
        """
        The recipe reads a file under a key that no field reads, and that is not listed in not-migrated, detect or a \
        list of keys. A json: file is only for the checks of a vendor, and the recipe names no vendor.
        """,
        "Add a field or an entry of not-migrated for the key, correct the key, or remove the file.")
    case .sharedMark:
      say(
        "a built-in recipe has the same mark",
        "A built-in recipe has the same key in detect, so both suit the same containers.",
        "Nothing, if the recipe is for the same SDK on purpose. Otherwise remove the key: another SDK writes it too.")
    case .idleStep:
      say(
        "a step has no effect",
        "The step before gives a value that this step does not change, whatever the value is.",
        "Remove the step, or correct it.")
    case .partialMap:
      say(
        "a map has an entry for only one of true and false",
        "A boolean can be the other one too. The field would then have no proposal, and Carryover would ask each time.",
        "Add the other entry. If the other value means that there is nothing to migrate, put an only step before the map."
      )
    case .noOptOut:
      say(
        "opt-outs could be lost",
        """
        If the legacy SDK stores opt-outs, the new SDK could track users who opted out after the migration. The recipe \
        says nothing about opt-outs, or a map in a field of the group consent has no result that says true.
        """,
        """
        Add a field of the group consent, or opt-out-keys: an empty list says that the SDK stores no opt-out. Give the \
        map the result true for each value that says that the user opted out.
        """)
    case .family:
      say(
        "a recipe with for-each writes a file that it reads",
        "A second run could read keys that the first one wrote, and write more keys.",
        "Write another file, or name the keys instead of for-each.")
    case .neverMet:
      say(
        "a condition can never be met",
        """
        No value of the possible types meets the condition or the requirement: the source would never be used, or the \
        field never written.
        """,
        "Correct the condition, or the form of the field.")
    case .alwaysMet:
      say(
        "a condition is always met",
        "Whatever the legacy value is, it meets the condition or the requirement, because of its type.",
        "Remove the condition, or correct it.")
    case .severalGenerations:
      say(
        "nothing says which keys belong together",
        """
        A field of the group identity or traits has sources under several keys. Without generations, the first sources \
        of all these fields count as written together, and so on. If that is wrong, Carryover asks too often, or takes \
        the id of one user and the traits of another.
        """,
        "Add generations: for each version of an SDK, the keys or the files that it writes, the most trusted first.")
    case .noGeneration:
      say(
        "a key belongs to no generation",
        """
        The recipe declares generations, but a field of the group identity or traits reads a key that is in none of them.
        """,
        "Add the key, or a beginning of it with *, to the generation of the SDK's version that writes it.")
    case .unusedFinding:
      say(
        "a finding is not used",
        "No field names the finding in otherwise, so no plan can have it.",
        "Name it in a field, or remove it.")
    case .valueInFinding:
      say(
        "the words of a finding contain a value",
        """
        The words of a recipe's own finding are the same for every container. A value of a container in them could show \
        what is masked elsewhere.
        """,
        "Name the field or the key instead of the value.")
    case .noTests:
      say(
        "the recipe has no tests",
        "Without tests, nobody can see whether a change to the recipe changes what it migrates.",
        "Add a test for each kind of user.")
    case .noDamage:
      say(
        "no test has missing or unusual data",
        """
        In every test, each field that the test names has a usable value. Containers of real users also have values of \
        other types, and files that are missing or damaged.
        """,
        "Add a test with such a value, and expect the field to be absent, undecided or not-migrated.")
    case .badWords:
      say(
        "words that are too long, or not a sentence",
        """
        A title has more than 72 characters, which do not fit on screens, or a reason, a message or a remedy does not end \
        like a sentence.
        """,
        "Shorten the title, or write a whole sentence with a full stop.")
    case .noSources:
      say(
        "the recipe does not name its sources",
        "A reviewer cannot check what the recipe says about the SDKs.",
        "List in sources-read what you read: the public sources of an SDK with their version, or its documentation.")
    }
  }
}

private func say(
  _ title: String, _ happens: String, _ whatToDo: String
) -> (title: String, happens: String, whatToDo: String) {
  (title, happens, whatToDo)
}
