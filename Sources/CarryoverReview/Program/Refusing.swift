extension Program {
  /// Says why nothing is done.
  mutating func refuse(_ reason: String) -> [Effect] {
    message = reason
    return [.bell]
  }
}
