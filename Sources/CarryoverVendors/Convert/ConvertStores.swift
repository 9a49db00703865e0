package import Carryover
import CarryoverSystem

/// The files of Convert's SDK in a container, and their visitors.
struct ConvertStores {
  enum File<Value> {
    case absent
    case read(Value)
    /// The file exists but cannot be used; the reason, as a sentence.
    case damaged(String)

    var value: Value? {
      if case .read(let value) = self { value } else { nil }
    }
  }

  /// The decisions in the folder of the SDK's source and in that of its documentation.
  let decisions: [(path: String, file: File<ConvertDecisions>)]
  /// The files with decisions that the SDK throws away because it cannot decode one of their values, with the reasons.
  private let discarded: [(path: String, reason: String)]
  let queue: File<ConvertQueue>
  let queuePath: String
  let uploading: String?
  /// The path that this marker has while the SDK sends the queue.
  let uploadingPath: String
  let configurations: [String]
  /// Cached configurations that cannot be used, with the reasons.
  let damagedConfigurations: [(path: String, reason: String)]

  init(_ container: Container) {
    let support = container.dataPath(Self.support)
    let folder = support + "/" + ConvertNames.folder + "/"
    queuePath = folder + ConvertNames.queue
    decisions = [support + "/", folder].map { $0 + ConvertNames.decisions }.map { path in
      (path, Self.file(container.store(path), ConvertDecisions.init))
    }
    discarded = decisions.compactMap { path, file in
      guard let value = file.value, !value.subjects.isEmpty, case .json(let text)? = container.store(path)?.content
      else { return nil }
      return ConvertDecisions.refusal(of: text.value).map { (path, $0) }
    }
    queue = Self.file(container.store(queuePath), ConvertQueue.init)
    let sign = folder + ConvertNames.uploading
    uploadingPath = sign
    uploading = container.signs.first { $0 == sign }
    let cached = container.stores.filter { store in
      guard store.path.beginsWithBytes(of: folder) else { return false }
      let name = String(decoding: store.path.utf8.dropFirst(folder.utf8.count), as: UTF8.self)
      return ConvertNames.configurationStem(ofFileName: name) != nil
    }
    configurations = cached.map(\.path)
    // Any valid JSON counts; only the SDK and its server know its content.
    damagedConfigurations = cached.compactMap { store in
      guard case .damaged(let reason) = Self.file(store, { $0 }) else { return nil }
      return (store.path, reason)
    }
  }

  var ambiguousConfigurations: [String] {
    configurations.filter { ConvertNames.configurationIsAmbiguous(FilePath.name(of: $0)) }
  }

  /// The ids that the SDK itself has made, in the decisions and the unsent events that it reads, without duplicates; the
  /// decisions' ids first. All others are the app's own: an id that the app passes is in no other store.
  var visitors: [String] { Self.made(decisions[0].file.value?.visitors, queue.value?.visitors) }

  /// The same in the decisions that only the SDK's documentation mentions.
  var documentedVisitors: [String] { Self.made(decisions[1].file.value?.visitors) }

  private static func made(_ ids: [String]?...) -> [String] {
    ids.flatMap { $0 ?? [] }.filter(ConvertNames.isMadeBySDK).distinct()
  }

  var observations: [Observation] {
    var observations: [Observation] = []
    for (path, file) in decisions {
      if case .damaged(let reason) = file { observations.append(.convertDecisionsCorrupt(path: path, reason: reason)) }
    }
    observations += discarded.map { .convertDecisionsCorrupt(path: $0.path, reason: $0.reason) }
    if let unread = decisions[1].file.value, !unread.subjects.isEmpty {
      observations.append(.convertDecisionsElsewhere(path: decisions[1].path, read: decisions[0].path))
    }
    if let uploading {
      observations.append(.convertUploading(path: uploading))
    } else if case .damaged(let reason) = queue {
      observations.append(.convertQueueCorrupt(path: queuePath, reason: reason))
    }
    for configuration in damagedConfigurations {
      observations.append(.convertConfigCorrupt(path: configuration.path, reason: configuration.reason))
    }
    if !ambiguousConfigurations.isEmpty {
      observations.append(.convertConfigKeyCollision(files: ambiguousConfigurations))
    }
    return observations
  }

  private static let support = "Library/Application Support"

  private static func file<Value>(_ store: Store?, _ make: (JSONValue) throws(ConvertError) -> Value) -> File<Value> {
    switch store?.content {
    case nil: return .absent
    case .unreadable(let reason): return .damaged(reason)
    case .document, .database: return .damaged("It is not JSON.")
    case .json(let text):
      guard let value = try? make(text.value) else {
        return .damaged("It is JSON, but not in the form that Convert's SDK writes.")
      }
      return .read(value)
    }
  }

  /// The files that show a change of the SDK's data: the decisions, the queue, its marker and every configuration. They
  /// are compared as a whole, because they contain no key of a recipe.
  static func basis(_ container: Container) -> [PlanBasis] {
    // A single property list has no files beside it.
    guard container.kind != .propertyList else { return [] }
    let stores = ConvertStores(container)
    let files = stores.decisions.map(\.path) + [stores.queuePath] + stores.configurations
    let sign = stores.uploadingPath
    return files.flatMap { container.store($0)?.basis ?? [PlanBasis(file: $0, value: nil)] }
      + [PlanBasis(file: sign, value: container.signs.contains(sign) ? PlanBasis.presence : nil)]
  }
}

extension Container {
  package var convertRemarks: [StoreRemark] {
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
