package import CarryoverSystem
package import PropertyLists

/// A coded observation: what happened, where, and what to do.
public struct Finding: Hashable, Sendable, CustomStringConvertible, CustomReflectable, Described {
  package var observation: Observation
  /// The field, as a target key; nil for the container as a whole.
  public var field: String?
  /// The legacy key that the observation is about, for use in sentences; nil if there is none.
  package var source: SourceKey?

  package init(_ observation: Observation, field: String? = nil, source: SourceKey? = nil) {
    self.observation = observation.naming(source)
    self.field = field
    self.source = source
  }

  /// The code.
  public var code: FindingCode { observation.code }
  /// The severity.
  public var severity: Severity { code.severity }
  package var asks: Bool { code.asks }
  package var blocks: Bool { code.blocks }
  /// What happened and what it means, in whole sentences. They may quote values, unescaped but cut to a bounded length:
  /// escape the text for display.
  public var message: String { observation.message.text(source: source) }
  /// What to do, in whole sentences.
  public var remedy: String { remedy(for: .app) }
  package var commandRemedy: String { remedy(for: .command) }
  package func remedy(for reader: Reader) -> String { observation.remedy.text(source: source, for: reader) }

  func masked(by mask: FactMask) -> Finding { Finding(observation.masked(by: mask), field: field, source: source) }

  /// The severity, the code, the field and the code's title, without values, because printed text may end up in a log.
  package var words: String {
    "\(severity.rawValue) \(code)\(field.map { " (\($0))" } ?? ""): \(code.explanation.title)"
  }

  /// Contains only the description, so that `dump` does not show values either.
  public var customMirror: Mirror { Mirror(self, children: [("finding", description)]) }
}

/// An observation: a code, and its sentences with the facts in them.
package struct Observation: Hashable, Sendable {
  package let code: FindingCode
  private(set) package var message: FindingText
  private(set) package var remedy: FindingText
  /// Distinguishes findings with the same code, for example by key. Never shown.
  package let detail: String?

  private(set) package var consequence: Consequence?

  /// The reason that nothing is written, if it differs from the code's.
  private let ownBrief: String?

  /// - Parameter remedy: nil for that of the code's explanation.
  package init(
    _ code: FindingCode, _ message: FindingText, remedy: FindingText? = nil, detail: String? = nil,
    brief: String? = nil, verdict consequence: Consequence? = nil
  ) {
    self.code = code
    self.message = message
    self.remedy = remedy ?? code.explanation.remedy
    self.detail = detail
    self.consequence = consequence
    ownBrief = brief
  }

  /// The reason in two or three words, if the field is not written because of this finding; otherwise nil.
  package var brief: String? { ownBrief ?? code.brief }

  /// The same observation, whose consequence names its source: a verdict's sentence has none of its own.
  fileprivate func naming(_ source: SourceKey?) -> Observation {
    guard let source else { return self }
    var named = self
    named.consequence = consequence?.map { $0.naming(source) }
    return named
  }

  func masked(by mask: FactMask) -> Observation {
    var masked = self
    masked.message = message.masked(by: mask)
    masked.remedy = remedy.masked(by: mask)
    masked.consequence = consequence?.masked(by: mask)
    return masked
  }
}

/// A finding that several fields have: the same code and sentences, once.
package struct SharedFinding: Sendable {
  package let finding: Finding
  /// The fields; empty for the container as a whole.
  package fileprivate(set) var fields: [String]
}

extension Array where Element == Finding {
  package var shared: [SharedFinding] {
    var found: [SharedFinding] = []
    var places: [Finding: Int] = [:]
    for finding in self {
      // Without the field, and with the source only where the sentences name it.
      var same = finding
      same.field = finding.field.map { _ in "" }
      if same.message == Finding(finding.observation).message { same.source = nil }
      if let place = places[same] {
        if let field = finding.field { found[place].fields.append(field) }
      } else {
        places[same] = found.count
        found.append(SharedFinding(finding: finding, fields: finding.field.map { [$0] } ?? []))
      }
    }
    return found
  }
}
