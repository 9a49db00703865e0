/// A limit as it is typed: what it is about, and how many containers are allowed, as `error`, `lost(user_id)>5` or
/// `identity.*>0.1%`.
package struct AuditThreshold: Hashable, Sendable {
  /// The limit as it was given.
  package let text: String
  /// What the limit is about, without its parentheses.
  package let name: String
  /// What is in the parentheses; nil if there are none.
  package let argument: String?
  private let most: Double
  private let isPercentage: Bool

  /// Reads a limit.
  /// - Returns: nil if the text is not a valid limit.
  package init?(_ text: String) {
    self.text = text
    let parts = text.split(separator: ">", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
    guard let name = parts.first, parts.count <= 2 else { return nil }
    if parts.count == 2 {
      isPercentage = parts[1].hasSuffix("%")
      let digits = isPercentage ? parts[1].dropLast() : parts[1][...]
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let most = Double(digits) else {
        return nil
      }
      self.most = most
    } else {
      (most, isPercentage) = (0, false)
    }
    if let open = name.firstIndex(of: "("), name.hasSuffix(")") {
      self.name = String(name[..<open])
      argument = String(name[name.index(after: open)...].dropLast())
    } else {
      self.name = name
      argument = nil
    }
  }

  /// Why a number of containers is beyond the limit, as a sentence; nil if it is not. A percentage is one of the
  /// containers with a plan.
  func excess(_ count: Int, of totals: AuditTotals) -> String? {
    guard isPercentage else {
      return Double(count) > most ? "\(text): \(count) of \(totals.containers) containers." : nil
    }
    let share = totals.planned == 0 ? 0 : Double(count) * 100 / Double(totals.planned)
    return share > most ? "\(text): \(count) of \(totals.planned) containers with a plan." : nil
  }
}
