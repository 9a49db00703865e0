package import CarryoverSystem
public import PropertyLists

/// The stable code of a kind of finding, `group.what-happened`, with its severity and explanation.
///
/// A code is declared beside its finding's sentences: in this folder if any recipe can report it, otherwise in the
/// folder of its vendor.
public struct FindingCode: Hashable, Sendable, CustomStringConvertible, Described, JSONConvertible {
  /// The code, for example `source.disagree`.
  public let rawValue: String
  package let severity: Severity
  let effect: FindingEffect
  /// The reason in two or three words, if a field is not written because of such a finding; otherwise nil.
  package let brief: String?
  package let explanation: Explanation

  package init(
    _ rawValue: String, _ severity: Severity, _ effect: FindingEffect, brief: String? = nil, title: String,
    happens: String, legacyReads: String, guideSays: String, helperWrites: String, weWrite: FindingText,
    whatToDo: FindingText, inTheApp: String? = nil
  ) {
    self.rawValue = rawValue
    self.severity = severity
    self.effect = effect
    self.brief = brief
    explanation = Explanation(
      title: title, happens: happens, legacyReads: legacyReads, guideSays: guideSays, helperWrites: helperWrites,
      writes: weWrite, remedy: whatToDo, inTheApp: inTheApp)
  }

  package var asks: Bool { effect == .asks || effect == .asksWithoutAdvice }
  /// Whether it asks what the container cannot show, so that Carryover recommends nothing.
  package var isOpen: Bool { effect == .asksWithoutAdvice }
  package var blocks: Bool { effect == .blocks }

  /// Whether it is about the target: what it contains, and what that means for the legacy value.
  package var isAboutTarget: Bool { rawValue.hasPrefix("target.") }
  package var words: String { rawValue }
  package var json: JSONValue { .string(rawValue) }

  /// Whether both are the same code.
  public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
  /// Feeds the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

  /// The codes that do not depend on a vendor.
  package static let general = [
    identityCodes, sourceCodes, targetCodes, consentCodes, recipeCodes, droppedCodes, liveCodes, modelCodes,
  ].flatMap(\.self)

  package var standing: String {
    let meaning =
      switch severity {
      case .error: "Error: usually about the user's identity or consent."
      case .warning: "Warning: data would be lost or changed."
      case .note: "Note: good to know."
      }
    return meaning
      + (blocks
        ? " Blocks: nothing can be applied until this is resolved."
        : asks ? " Needs a decision before you can apply." : " Needs no decision.")
  }
}

package enum FindingEffect: Hashable, Sendable {
  case informs
  case asks
  /// Needs a decision that only someone who knows the user or the app's server can make.
  case asksWithoutAdvice
  case blocks
}

/// The severity of a finding for the person whose data it is about.
public enum Severity: String, CaseIterable, Comparable, Sendable, JSONConvertible {
  /// Identity or consent is affected.
  case error
  /// Data would be lost or changed.
  case warning
  /// Information only.
  case note

  /// Orders severities: a note is less than a warning, and a warning is less than an error.
  public static func < (left: Severity, right: Severity) -> Bool { left.place > right.place }

  private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  package var sign: Sign {
    switch self {
    case .error: .error
    case .warning: .warning
    case .note: .note
    }
  }
}

/// A group of findings: the part of their codes before the dot.
package struct FindingGroup: Hashable, Sendable {
  package let name: String
  package let title: String

  package init(_ name: String, _ title: String) {
    self.name = name
    self.title = title
  }

  /// The groups that do not depend on a vendor, in display order.
  package static let general = [
    FindingGroup("identity", "who the user is"),
    FindingGroup("traits", "what is known about the user"),
    FindingGroup("session", "the session and the time of its last event"),
    FindingGroup("app", "the app's version and build"),
    FindingGroup("source", "the legacy stores"),
    FindingGroup("target", "the new SDK's store"),
    FindingGroup("consent", "what the user has agreed to"),
    FindingGroup("recipe", "recipe files"),
    FindingGroup("dropped", "what is not migrated"),
    FindingGroup("live", "running apps"),
    FindingGroup("model", "versioned models"),
  ]
}

/// The general explanation of a finding code. It has no values of a container, and is plain text.
package struct Explanation: Hashable, Sendable {
  /// The condition of the finding in a few words, as a part of a sentence.
  package let title: String
  /// What happened. This text and all below are whole sentences.
  package let happens: String
  package let legacyReads: String
  /// What the vendor's migration guide says, or that it says nothing.
  package let guideSays: String
  package let helperWrites: String
  let writes: FindingText
  let remedy: FindingText
  /// The cause in the app and what to change there, for all users; nil if the cause is elsewhere.
  package let inTheApp: String?

  package struct Part: Hashable, Sendable {
    package let title: String
    package let text: String
  }

  package var weWrite: String { writes.text(source: nil) }
  package var whatToDo: String { remedy.text(source: nil) }

  package func parts(for reader: Reader = .command) -> [Part] {
    [
      Part(title: "What happened", text: happens), Part(title: "What the legacy SDK reads", text: legacyReads),
      Part(title: "What the migration guide says", text: guideSays),
      Part(title: "What the vendor's migrator writes", text: helperWrites),
      Part(title: "What Carryover writes", text: writes.text(source: nil, for: reader)),
      Part(title: "What to do", text: remedy.text(source: nil, for: reader)),
    ] + (inTheApp.map { [Part(title: "In the app", text: $0)] } ?? [])
  }
}

/// The signs in front of rows and sentences, the same on every surface. A word beside each sign says the same.
package enum Sign: CaseIterable, Sendable {
  case error
  case warning
  case note
  /// A proposal that is written without a decision.
  case ready
  case undecided
  case done
  case conflict
  case omitted
  case unchanged
  case nothing

  /// The sign, one column wide, or its ASCII replacement.
  package func text(ascii: Bool = false) -> String { ascii ? look.ascii : look.sign }

  /// The meaning for the legend; nil if the sign needs none.
  package var meaning: String? { look.meaning }

  private var look: (sign: String, ascii: String, meaning: String?) {
    switch self {
    case .error: ("✗", "x", "error, or failed")
    case .warning: ("▲", "^", "warning")
    case .note: ("i", "i", "note")
    case .ready: ("·", ".", "ready")
    case .undecided: ("?", "?", "undecided")
    case .done: ("✓", "v", "decided, written or in effect")
    case .conflict: ("≠", "#", "conflict")
    case .omitted: ("–", "-", "skipped, not migrated or rolled back")
    case .unchanged: ("=", "=", "unchanged")
    case .nothing: (" ", " ", nil)
    }
  }
}
