package import Carryover

/// Something wrong in a recipe file, with its place.
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
}
