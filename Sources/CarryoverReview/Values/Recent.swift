/// The last results of something that takes a while, by what each was made from: whoever goes to and fro gets them again.
///
/// There are few, so they are compared one by one; to work out a hash of what they were made from takes longer.
struct Recent<Basis: Equatable & Sendable, Result: Sendable>: Sendable {
  private struct Entry: Sendable {
    let basis: Basis
    let result: Result
  }

  private var entries: [Entry] = []
  /// Which entry the next result takes the place of, once there are as many as are kept.
  private var next = 0
  private let most: Int

  /// - Parameter most: How many are kept.
  init(_ most: Int) { self.most = max(1, most) }

  /// The result for a basis; nil where it is not among the last.
  subscript(basis: Basis) -> Result? {
    for index in entries.indices where entries[index].basis == basis { return entries[index].result }
    return nil
  }

  /// Adds the result for a basis, which is not among them.
  mutating func add(_ result: Result, for basis: Basis) {
    let entry = Entry(basis: basis, result: result)
    if entries.count < most { entries.append(entry) } else { entries[next] = entry }
    next = (next + 1) % most
  }
}
