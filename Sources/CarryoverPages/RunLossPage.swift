package import Carryover
package import PropertyLists

extension [RunLoss] {
  /// A warning for each migrator that will do nothing because of a run, and for each of the new SDK's own ids that stays.
  /// - Parameter isDone: whether the run is done, not only planned.
  package func blocks(isDone: Bool) -> [Block] {
    isEmpty ? [] : [.list(map { $0.item(isDone: isDone) })]
  }

  /// What the app loses, as a part of a JSON document.
  package var json: [JSONValue] {
    flatMap { part in
      part.losses.map { lost in
        .object(["kind": lost.loss.kind, "what": lost.loss.what, "fields": lost.fields])
      }
    }
  }
}

extension RunLoss {
  /// "Because of this run, the app also loses the anonymous id and the traits."
  package var sentence: String {
    "Because of this run, the app also loses \(ValueWording.joined(losses.map(\.loss.what)))."
  }

  fileprivate func item(isDone: Bool) -> Item {
    let fields = losses.flatMap(\.fields)
    let rest = fields.count > Self.most ? " and \(fields.count - Self.most) more" : ""
    let names = fields.prefix(Self.most).joined(separator: ", ") + rest
    return Item(
      [.strong(sentence)], sign: .warning, below: [[.text(reason(isDone: isDone))]],
      remedy: "Migrate these fields too: \(names).\(isDone ? " Or roll back this run." : "")", indent: 0)
  }

  private func reason(isDone: Bool) -> String {
    guard let migrator else { return "The new SDK's own id stays beside the user's values." }
    return migrator
      + (isDone
        ? " does nothing now: the new SDK's file exists."
        : " will do nothing after this run: the new SDK's file will exist.")
  }

  private static let most = 12
}
