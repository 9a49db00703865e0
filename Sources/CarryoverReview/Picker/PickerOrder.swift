/// What the containers are listed by.
enum PickerOrder: CaseIterable, Sendable {
  /// As they were found.
  case given
  case name
  /// Those that wait for a decision first.
  case state
  /// Those with the worst findings first.
  case findings

  /// What the title says of it; nil for the order at the start.
  var words: String? {
    switch self {
    case .given: nil
    case .name: "by name"
    case .state: "by state"
    case .findings: "by findings"
    }
  }

  /// Whether a new state of a container can move it.
  var isByState: Bool { self == .state || self == .findings }
}

extension PickerState {
  /// The numbers of the candidates in the present order.
  var ordered: [Int] {
    switch order {
    case .given: return Array(candidates.indices)
    case .name: return candidates.indices.sorted { (names[$0], $0) < (names[$1], $1) }
    case .state:
      let ranks = states.map(\.rank)
      return candidates.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
    case .findings:
      let weights = states.map(\.weight)
      return candidates.indices.sorted { first, second in
        weights[first] == weights[second]
          ? first < second : weights[second].lexicographicallyPrecedes(weights[first])
      }
    }
  }

  /// Lists the containers in the next order.
  mutating func sortNext() -> [PickerEffect] {
    let orders = PickerOrder.allCases.filter { isPlanning || !$0.isByState }
    order = orders[((orders.firstIndex(of: order) ?? 0) + 1) % orders.count]
    rearrange()
    revealCursor()
    message = "Containers \(order.words ?? "in their first order")."
    return []
  }
}
