package import Carryover
public import CarryoverStorage

package struct Convert: Vendor {
  package let name = "convert"
  package var recipes: [Recipe] { [.convertIOS] }
  package var checks: [any FieldCheck] { [VisitorMirrorCheck()] }
  package var groups: [FindingGroup] { [FindingGroup("convert", "what Convert's SDK keeps")] }
  package var findings: [FindingCode] { FindingCode.convertCodes }

  package var traces: Traces {
    Traces(signs: ["Library/Application Support/\(ConvertNames.folder)/\(ConvertNames.uploading)"])
  }

  package func observations(_ facts: ContainerFacts) -> VendorObservations {
    VendorObservations(documents: ConvertStores(facts.container).observations)
  }

  package func basis(_ recipe: Recipe, in container: Container) -> [PlanBasis] { ConvertStores.basis(container) }

  package func remarks(on container: Container) -> [StoreRemark] { container.convertRemarks }

  /// The entries of the decisions are named `<account>-<project>-<visitor>`. Any other name counts as an id as a whole.
  /// A file that does not have the SDK's form is read as far as possible.
  package func people(in store: Store) -> [PersonInName] {
    guard store.name == ConvertNames.decisions, case .json(let json) = store.content else { return [] }
    let entries = json.value["store"]?.members?.map(\.name) ?? []
    let order = json.value["order"]?.elements?.compactMap(\.stringValue) ?? []
    return (entries + order).filter { !$0.isEmpty }.map { key in
      let subject = ConvertDecisions.Subject(key: key)
      return PersonInName(name: key, id: subject?.visitor ?? key, shown: subject?.project)
    }
  }
}

/// The mirror of a visitor's id. If it is lost, proposes the id in the SDK's files, if there is only one.
struct VisitorMirrorCheck: FieldCheck {
  let name = "visitor-mirror"

  func amend(_ draft: inout FieldDraft, _ context: PlanningContext) {
    guard draft.failure == nil else { return }
    let stores = ConvertStores(context.container)
    let ids = stores.visitors
    guard case .string(let mirror)? = draft.proposed, !mirror.isEmpty else { return propose(ids, stores, &draft) }
    guard !ids.isEmpty, !ids.containsBytes(of: mirror) else { return }
    draft.withdraw("not the id of the SDK's files")
    draft.note(.convertIDsDiffer(mirror: mirror, stored: ids))
    offer(ids, &draft)
  }

  private func propose(_ read: [String], _ stores: ConvertStores, _ draft: inout FieldDraft) {
    let unread = stores.documentedVisitors.filter { !read.containsBytes(of: $0) }
    let ids = read + unread
    guard let only = ids.first else {
      draft.countsAsAbsent = true
      return
    }
    guard ids.count == 1 else {
      draft.withdraw("several ids in the decisions and the queue")
      draft.note(.convertIDsDiffer(mirror: nil, stored: ids))
      return offer(ids, &draft)
    }
    draft.propose(
      .string(only),
      steps: [TransformStep(title: "the only id in the decisions and the queue", result: .string(only))])
    if read.isEmpty { draft.note(.convertIDElsewhere(only, path: stores.decisions[1].path)) }
    // The decisions may be another visitor's.
    if case .damaged = stores.decisions[0].file {
      draft.note(.sourceHidden(draft.rule.target, in: stores.decisions[0].path, proposedFrom: stores.queuePath))
    }
  }

  /// A longer list would not help the user.
  private func offer(_ ids: [String], _ draft: inout FieldDraft) {
    for id in ids.prefix(8) { draft.offer("the decisions or the queue", .string(id)) }
  }
}

/// The names of the data of Convert's iOS SDK in the keychain, in the app's own defaults and in Application Support,
/// from the SDK's source.
package enum ConvertNames {
  package static let keychainService = "com.convert.sdk"
  package static let visitorAccount = "com.convert.sdk.visitorId"
  /// The key of the id's mirror in `UserDefaults.standard`, a string.
  package static let visitorMirror = "com.convert.sdk.visitorIdMirror"
  package static let folder = "com.convertexperiments.sdk"
  /// The queue of events that were not sent yet, in the folder.
  package static let queue = "event-queue.json"
  /// The marker beside the queue while the SDK sends it: a file with the single byte 1.
  package static let uploading = "event-queue.uploading"
  /// The decisions. The SDK's source puts them in Application Support itself, or in Caches if that folder cannot be
  /// created; its documentation names the folder. Carryover looks in Application Support and in the folder.
  package static let decisions = "convert-decision-store.json"

  /// The lock file for changes, in Application Support. Only Carryover uses it.
  static let lock = folder + ".carryover-lock"

  /// The file of a cached configuration, in the folder. Each `/` in the SDK key becomes `_`, so different keys can
  /// share a file.
  package static func configuration(sdkKey: String) -> String {
    configurationPrefix + String(decoding: sdkKey.utf8.map { $0 == slash ? underscore : $0 }, as: UTF8.self) + ".json"
  }

  /// The part of a configuration's file name that comes from its key; nil for the name of another file.
  package static func configurationStem(ofFileName name: String) -> String? {
    guard name.hasPrefix(configurationPrefix), name.hasSuffix(".json") else { return nil }
    return String(name.dropFirst(configurationPrefix.count).dropLast(5))
  }

  /// Whether a configuration's file can belong to several keys, because both `/` and `_` become `_`.
  package static func configurationIsAmbiguous(_ name: String) -> Bool {
    configurationStem(ofFileName: name)?.utf8.contains(underscore) ?? false
  }

  /// Whether the SDK can have made an id: `UUID().uuidString`, with capital letters.
  static func isMadeBySDK(_ id: String) -> Bool {
    id.isUUID && !id.utf8.contains { $0 >= UInt8(ascii: "a") }
  }

  private static let configurationPrefix = "config-"
  private static let underscore = UInt8(ascii: "_")
  private static let slash = UInt8(ascii: "/")
}

extension IdentityLookup {
  /// Looks up the visitor's id like Convert's SDK: the given id, else the keychain's, else the mirror's, else a new
  /// one. Unlike the SDK, it also restores a lost mirror.
  /// - Parameters:
  ///   - keychain: the items of ``ConvertMigration/keychainService``.
  ///   - mirror: a store for `UserDefaults.standard`, which must write text as strings.
  ///   - fresh: creates a new id, like `UUID().uuidString`.
  public static func convert(
    keychain: any ByteStore, mirror: any ByteStore, fresh: @escaping @Sendable () -> String
  ) -> IdentityLookup {
    IdentityLookup(
      [Place(keychain, ConvertNames.visitorAccount), Place(mirror, ConvertNames.visitorMirror)], fresh: fresh)
  }
}
