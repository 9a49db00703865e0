/// What findings are about: the part of their codes before the dot.
public enum FindingGroup: String, CaseIterable, Sendable {
  case identity, traits, session, app, source, target, consent, dropped, live, model, v2, convert

  /// What the group's findings are about, in a few words.
  public var title: String {
    switch self {
    case .identity: "who the user is"
    case .traits: "what is known about the user"
    case .session: "the session and the time of its last event"
    case .app: "the app's version and build"
    case .source: "the legacy stores"
    case .target: "the new SDK's store"
    case .consent: "what the user has agreed to"
    case .dropped: "what is left behind"
    case .live: "apps that are at work"
    case .model: "versioned models"
    case .v2: "what only the beta SDK 2 leaves"
    case .convert: "what Convert's SDK keeps"
    }
  }

  /// The codes of the group, in the order of `FindingCode.allCases`.
  public var codes: [FindingCode] { FindingCode.allCases.filter { $0.rawValue.hasPrefix(rawValue + ".") } }
}
