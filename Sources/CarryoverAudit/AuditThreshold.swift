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

  /// Why a number of containers is beyond the limit, as a sentence; nil if it is not.
  /// - Parameters:
  ///   - all: the number that a number is compared with, and its noun.
  ///   - base: the number that a percentage refers to, and its noun.
  package func excess(
    _ count: Int, of all: (count: Int, noun: String), percentOf base: (count: Int, noun: String)
  ) -> String? {
    guard isPercentage else { return Double(count) > most ? "\(text): \(count) of \(all.count) \(all.noun)." : nil }
    let share = base.count == 0 ? 0 : Double(count) * 100 / Double(base.count)
    return share > most ? "\(text): \(count) of \(base.count) \(base.noun)." : nil
  }
}
