import PropertyLists

extension ConvertStores {
  /// The files by which it can be told that the SDK's data changed: the decisions, the queue, the sign that it is being
  /// sent, and every configuration. They are looked at as a whole, for nothing in them is a key of a recipe's.
  static func basis(_ container: Container) -> [PlanBasis] {
    // A bare property list has nothing beside it.
    guard container.kind != .propertyList else { return [] }
    let stores = ConvertStores(container)
    let files = stores.decisions.map(\.path) + [stores.queuePath] + stores.configurations
    let sign = stores.uploadingPath
    return files.map { PlanBasis(file: $0, value: container.store($0).map(\.fileBasis)) }
      + [PlanBasis(file: sign, value: container.signs.contains(sign) ? PlanBasis.presence : nil)]
  }
}

extension Store {
  /// What a plan that rests on the whole file keeps of it.
  fileprivate var fileBasis: PropertyListValue {
    switch content {
    case .document(let document): PlanBasis.contents(document.bytes)
    case .json(let json): PlanBasis.contents(json.text.utf8)
    case .unreadable: checksum.map { .string("\(size ?? 0) bytes, \($0)") } ?? PlanBasis.presence
    }
  }
}
