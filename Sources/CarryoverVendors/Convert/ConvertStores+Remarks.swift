package import Carryover
import CarryoverSystem
import PropertyLists

extension Container {
  /// The files of Convert's SDK, by path, each with its kind and its state. Empty if there are none.
  package var convertRemarks: [StoreRemark] {
    // A single property list has no files beside it.
    let files = kind == .propertyList ? [] : ConvertStores(self).remarks(self)
    let mirrors = stores.filter { $0.dictionary?[ConvertNames.visitorMirror] != nil }.map { store in
      StoreRemark(
        store.path, .key, is: "mirror", words: "Convert's visitor id in it",
        "\(ConvertNames.visitorMirror) is Convert's visitor id, a copy of the one in the keychain, which no container has."
      )
    }
    return (files + mirrors).sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }
}

extension ConvertStores {
  fileprivate func remarks(_ container: Container) -> [StoreRemark] {
    let sign = uploading.map { path in
      StoreRemark(
        path, .sign, is: "uploading", state: .uploading, words: "Convert is sending its queue",
        "Convert's SDK is sending its queue of events, and removes this file afterwards.")
    }
    let configurations = configurations.map { path in
      var isUsable = false
      if case .json? = container.store(path)?.content { isUsable = true }
      return Self.remark(ofConfigurationAt: path, isUsable: isUsable)
    }
    return decisions.compactMap(Self.remark(ofDecisionsAt:_:)) + [queueRemark, sign].compactMap(\.self) + configurations
  }

  private static func remark(ofDecisionsAt path: String, _ file: File<ConvertDecisions>) -> StoreRemark? {
    func remark(_ decisions: ConvertDecisions?, _ words: String, _ sentence: String) -> StoreRemark {
      StoreRemark(
        path, is: "decisions", state: decisions == nil ? .damaged : .usable,
        counts: [("entries", decisions?.subjects.count), ("visitors", decisions?.visitors.count)],
        words: "Convert's decisions, " + words, "The decisions of Convert's SDK" + sentence)
    }
    switch file {
    case .absent: return nil
    case .damaged:
      return remark(nil, "damaged", ". They are damaged: the SDK will decide again, and count goals again.")
    case .read(let decisions):
      let (entries, people) = (decisions.subjects.count, decisions.visitors.count)
      let visitors = counted(people, "visitor")
      let isWhereDocumented = path.hasSuffix("/\(ConvertNames.folder)/\(ConvertNames.decisions)")
      return remark(
        decisions, visitors,
        ", with counted goals and segments: of \(visitors)"
          + (entries == people ? "." : ", in \(counted(entries, "entry", "entries")).")
          + (isWhereDocumented
            ? " This is where the SDK's documentation puts them; its source reads them in Application Support itself."
            : ""))
    }
  }

  private var queueRemark: StoreRemark? {
    if case .absent = queue { return nil }
    let events = queue.value.map { counted($0.eventCount, "event") }
    let holding =
      if let value = queue.value, let events { "\(events) of \(counted(value.visitors.count, "visitor"))" } else {
        "cannot tell how many"
      }
    func remark(_ state: State, _ words: String, _ sentence: String) -> StoreRemark {
      StoreRemark(
        queuePath, is: "queue", state: state,
        counts: [("events", queue.value?.eventCount), ("visitors", queue.value?.visitors.count)],
        words: "Convert's queue, " + words, "The queue of events " + sentence)
    }
    // While it is being sent, it may be half written.
    if uploading != nil {
      return remark(
        .uploading, "being sent",
        "of Convert's SDK: \(holding). It was being sent when the container was made, so what is in it may be sent already."
      )
    }
    guard let events else {
      return remark(
        .damaged, "damaged",
        "that Convert's SDK has not sent yet. It is damaged: the SDK deletes it at its next start.")
    }
    return remark(.usable, events, "that Convert's SDK has not sent yet: \(holding).")
  }

  private static func remark(ofConfigurationAt path: String, isUsable: Bool) -> StoreRemark {
    let isAmbiguous = ConvertNames.configurationIsAmbiguous(FilePath.name(of: path))
    return StoreRemark(
      path, is: "configuration", state: isUsable ? .usable : .damaged,
      words: "Convert's configuration" + (isUsable ? "" : ", damaged"),
      "A configuration that Convert's SDK has cached."
        + (!isUsable
          ? " It is damaged: the SDK will fetch it again."
          : isAmbiguous ? " Its name does not tell whose key it is for." : ""))
  }
}

/// The state of a file. The raw value is the word in JSON output.
private enum State: String {
  case usable, damaged, uploading
}

extension StoreRemark {
  fileprivate init(
    _ path: String, _ subject: Subject = .file, is kind: String, state: State = .usable,
    counts: [(name: String, count: Int?)] = [], words: String, _ sentence: String
  ) {
    self.init(
      path: path, subject: subject, words: words, sentence: sentence,
      members: [
        JSONMember("sdk", "convert"), JSONMember("is", .string(kind)), JSONMember("state", .string(state.rawValue)),
      ] + counts.map { JSONMember($0.name, JSONValue($0.count)) } + [JSONMember("sentence", .string(sentence))])
  }
}

private func counted(_ count: Int, _ noun: String, _ nouns: String? = nil) -> String {
  "\(count) " + (count == 1 ? noun : nouns ?? noun + "s")
}
