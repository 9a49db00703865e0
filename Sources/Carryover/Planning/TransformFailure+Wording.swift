import CarryoverSystem
import PropertyLists

extension TransformFailure {
  /// The failure as a sentence about a key.
  func sentence(_ key: String) -> FindingText {
    switch self {
    case .kind(let kind): "\(key) is \(words: ValueWording.name(kind))."
    case .notWhole: "\(key) is not a whole number."
    case .notInteger: "\(key) is not the text of an integer."
    case .contains(let kind): "\(key) contains \(words: ValueWording.name(kind)), which the result cannot contain."
    case .noPrefix(let prefix): "\(key) does not begin with \(words: DisplayText.quoted(prefix))."
    case .notListed: "\(key) has a value that the recipe does not list."
    case .notInCalendar: "\(key) is not a time in the years 1 to 9999."
    case .nameTaken(let name): "\(key) has another member \(words: DisplayText.quoted(name))."
    case .notWrapped(let name): "\(key) is not a dictionary with only the key \(words: DisplayText.quoted(name))."
    case .time(.notPositive): "\(key) is not a time after 1970."
    case .time(.future): "\(key) is a time in the future."
    case .time(.notANumber): "\(key) is not a number."
    case .json(let defect): defect.sentence(key)
    case .empty, .model: "The step has no result."
    case .tooMuch: "The steps of this plan would make more than 256 MiB together."
    }
  }
}

extension TraitsDefect {
  /// The defect as a sentence about a key.
  /// - Parameter form: the form in words that the value should have.
  package func sentence(_ key: String, form: String = "JSON text") -> FindingText {
    switch self {
    case .notText(let kind): "\(key) is \(words: ValueWording.name(kind)), not \(words: form)."
    case .syntax(let error): "\(key) is not valid JSON. \(error: error, limit: 160)"
    case .notObject: "\(key) is JSON, but not an object."
    case .loneSurrogate(let position):
      "\(key) has half of a surrogate pair at column \(words: position.column ?? position.offset + 1), which no SDK reads."
    case .numberOutOfRange(let lexeme): "\(key) has the number \(value: lexeme), which no SDK reads."
    case .archive(let reason): "\(key) cannot be opened. \(reason, limit: 160)"
    }
  }
}
