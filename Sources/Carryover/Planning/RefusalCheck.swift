import PropertyLists

extension FieldDraft {
  /// Says that the app does not read the value's file.
  mutating func checkRefusal(_ context: PlanningContext) {
    guard let store = origin?.store, let reason = context.refusals[store] else { return }
    note(.sourceRefused(store: store, reason: reason))
  }
}

extension ContainerChecks {
  /// The refused files that no field has a value of.
  var refusals: [Observation] {
    let reported = Set(
      bytesOf: fields.filter { $0.findings.contains { $0.code == .sourceRefused } }.compactMap(\.origin?.store))
    return context.refusals.filter { !reported.contains($0.key) }.sorted { $0.key < $1.key }.map {
      .sourceRefused(store: $0.key.text, reason: $0.value)
    }
  }
}
