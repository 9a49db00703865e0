package import Carryover
import CarryoverSystem
import PropertyLists

/// What a file of Convert's SDK in a container is, and how it stands, for whoever looks at it.
package struct ConvertRemark: Hashable, Sendable {
  /// What a file is. The raw value is the word in JSON output.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The decisions, counted goals and segments.
    case decisions
    /// The events to be sent.
    case queue
    /// A cached configuration.
    case configuration
    /// The sign that the queue is being sent.
    case uploading
    /// The app's own preferences, in which the visitor's id is mirrored.
    case mirror
  }

  /// How a file stands. The raw value is the word in JSON output.
  package enum State: String, Hashable, Sendable, CaseIterable {
    /// It can be used.
    case usable
    /// It is there and the SDK cannot use it.
    case damaged
    /// It is being sent.
    case uploading
  }

  /// The file's path, relative to the container's root.
  package var path: String
  /// What it is.
  package var kind: Kind
  /// How it stands.
  package var state: State
  /// How many events, or decided visitors in projects, it holds; nil where that cannot be told or means nothing.
  package var count: Int?
  /// How many visitors it is about; nil as above.
  package var visitors: Int?

  /// What it is and how it stands, in a few words for a row.
  package var words: String {
    switch (kind, state) {
    case (.decisions, .damaged): "Convert's decisions, damaged"
    case (.decisions, _): "Convert's decisions, " + counted(visitors, "visitor")
    case (.queue, .damaged): "Convert's queue, damaged"
    case (.queue, .uploading): "Convert's queue, being sent"
    case (.queue, _): "Convert's queue, " + counted(count, "event")
    case (.configuration, .damaged): "Convert's configuration, damaged"
    case (.configuration, _): "Convert's configuration"
    case (.uploading, _): "Convert is sending its queue"
    case (.mirror, _): "Convert's visitor id in it"
    }
  }

  /// What it is and how it stands, as sentences without values.
  package var sentence: String {
    switch (kind, state) {
    case (.decisions, .damaged):
      "The decisions of Convert's SDK. They are damaged: the SDK decides anew, and goals count again."
    case (.decisions, _):
      "The decisions of Convert's SDK, with counted goals and segments: of \(counted(visitors, "visitor"))"
        + (count == visitors ? "." : ", in \(counted(count, "entry", "entries")).")
        + (isWhereDocumented
          ? " This is where the SDK's documentation puts them; its source reads them in Application Support itself."
          : "")
    case (.queue, .damaged):
      "The queue of events that Convert's SDK has not sent yet. It is damaged: the SDK deletes it at its next start."
    case (.queue, .uploading):
      "The queue of events of Convert's SDK: \(holding). It was being sent when the container was made, so what is in it"
        + " may be sent already."
    case (.queue, _): "The queue of events that Convert's SDK has not sent yet: \(holding)."
    case (.configuration, .damaged):
      "A configuration that Convert's SDK has cached. It is damaged: the SDK fetches it anew."
    case (.configuration, _):
      "A configuration that Convert's SDK has cached."
        + (ConvertNames.configurationIsAmbiguous(PathName.last(of: path))
          ? " Its name does not tell whose key it is for." : "")
    case (.uploading, _): "The sign of Convert's SDK that its queue of events is being sent; it goes when that is done."
    case (.mirror, _):
      "\(ConvertNames.visitorMirror) is Convert's visitor id, a copy of that in the keychain, which no container holds."
    }
  }

  /// Whether these are decisions in the folder that the SDK's documentation names.
  private var isWhereDocumented: Bool { path.hasSuffix("/\(ConvertNames.folder)/\(ConvertNames.decisions)") }

  private var holding: String {
    guard let count, let visitors else { return "it cannot be told how many" }
    return "\(counted(count, "event")) of \(counted(visitors, "visitor"))"
  }

  private func counted(_ count: Int?, _ noun: String, _ nouns: String? = nil) -> String {
    guard let count else { return "an unknown number of \(nouns ?? noun + "s")" }
    return "\(count) " + (count == 1 ? noun : nouns ?? noun + "s")
  }
}

extension ConvertRemark {
  /// The remark in the form that all vendors share.
  var general: StoreRemark {
    var members = [
      JSONMember("sdk", "convert"), JSONMember("is", .string(kind.rawValue)),
      JSONMember("state", .string(state.rawValue)),
    ]
    var subject = StoreRemark.Subject.file
    switch kind {
    case .queue: members += [JSONMember("events", JSONValue(count)), JSONMember("visitors", JSONValue(visitors))]
    case .decisions: members += [JSONMember("entries", JSONValue(count)), JSONMember("visitors", JSONValue(visitors))]
    case .uploading: subject = .sign
    case .mirror: subject = .key
    case .configuration: break
    }
    return StoreRemark(
      path: path, subject: subject, words: words, sentence: sentence,
      members: members + [JSONMember("sentence", .string(sentence))])
  }
}

extension Container {
  /// What Convert's SDK has left, each file with what it is and how it stands, by path; nothing where it has left nothing.
  package var convertRemarks: [ConvertRemark] {
    // A bare property list has nothing beside it.
    let convert = kind == .propertyList ? nil : ConvertStores(self)
    let preferences = stores.filter { $0.dictionary?[ConvertNames.visitorMirror] != nil }
    let mirrors = preferences.map { ConvertRemark(path: $0.path, kind: .mirror, state: .usable) }
    return ((convert?.remarks(self) ?? []) + mirrors).sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }
}

extension ConvertStores {
  fileprivate func remarks(_ container: Container) -> [ConvertRemark] {
    var remarks: [ConvertRemark] = []
    for (path, file) in decisions {
      switch file {
      case .absent: break
      case .damaged: remarks.append(ConvertRemark(path: path, kind: .decisions, state: .damaged))
      case .read(let decisions):
        remarks.append(
          ConvertRemark(
            path: path, kind: .decisions, state: .usable, count: decisions.subjects.count,
            visitors: decisions.visitors.count))
      }
    }
    let sending = uploading != nil
    switch queue {
    case .absent: break
    case .damaged:
      // While it is being sent, it may be half written.
      remarks.append(ConvertRemark(path: queuePath, kind: .queue, state: sending ? .uploading : .damaged))
    case .read(let queue):
      remarks.append(
        ConvertRemark(
          path: queuePath, kind: .queue, state: sending ? .uploading : .usable, count: queue.eventCount,
          visitors: queue.visitors.count))
    }
    if let uploading { remarks.append(ConvertRemark(path: uploading, kind: .uploading, state: .uploading)) }
    for path in configurations {
      var isDamaged = true
      if case .json? = container.store(path)?.content { isDamaged = false }
      remarks.append(
        ConvertRemark(path: path, kind: .configuration, state: isDamaged ? .damaged : .usable))
    }
    return remarks
  }
}
