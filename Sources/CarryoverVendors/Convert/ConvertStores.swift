import Carryover
import CarryoverSystem
import PropertyLists

/// The files of Convert's SDK in a container, and their visitors.
struct ConvertStores {
  /// The content of a file.
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
  /// The path of the marker that the queue is being sent; nil if there is none.
  let uploading: String?
  /// The path that this marker has while the SDK sends the queue.
  let uploadingPath: String
  /// The files of configurations.
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
      guard store.path.hasPrefix(folder) else { return false }
      return ConvertNames.configurationStem(ofFileName: String(store.path.dropFirst(folder.count))) != nil
    }
    configurations = cached.map(\.path)
    // Any valid JSON counts; only the SDK and its server know its content.
    damagedConfigurations = cached.compactMap { store in
      guard case .damaged(let reason) = Self.file(store, { $0 }) else { return nil }
      return (store.path, reason)
    }
  }

  /// Files of configurations whose names do not identify their SDK key.
  var ambiguousConfigurations: [String] {
    configurations.filter { ConvertNames.configurationIsAmbiguous(FilePath.name(of: $0)) }
  }

  /// The ids that the SDK itself has made, in the decisions and the unsent events that it reads, without duplicates; the
  /// decisions' ids first. All others are the app's own: an id that the app passes is in no other store.
  var visitors: [String] { Self.made(decisions[0].file.value?.visitors, queue.value?.visitors) }

  /// The same in the decisions that only the SDK's documentation mentions.
  var documentedVisitors: [String] { Self.made(decisions[1].file.value?.visitors) }

  private static func made(_ ids: [String]?...) -> [String] {
    var seen: Set<StringByBytes> = []
    return ids.flatMap { $0 ?? [] }.filter { ConvertNames.isMadeBySDK($0) && seen.insert($0) }
  }

  /// The observations about the files.
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

  private static func file<Value>(
    _ store: Store?, _ make: (JSONValue) throws(ConvertError) -> Value
  ) -> File<Value> {
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
}

extension ConvertStores {
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
