/// A part of the inputs of an audit, for one of several machines: every `count`-th input, beginning with one of the first.
package struct AuditShard: Hashable, Sendable {
  /// The number of the shard, from 0: that is how clusters number the tasks of a job.
  package let index: Int
  /// The number of shards.
  package let count: Int

  /// All inputs.
  package static let whole = AuditShard(index: 0, count: 1)

  private init(index: Int, count: Int) { (self.index, self.count) = (index, count) }

  /// Reads `3/64`, the fourth of 64 shards; nil for another text.
  package init?(argument text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]),
      (1...Self.most).contains(count), (0..<count).contains(index), text == "\(index)/\(count)"
    else { return nil }
    self.init(index: index, count: count)
  }

  /// The largest number of shards.
  package static let most = 10_000

  /// As the command line names it.
  package var text: String { "\(index)/\(count)" }

  /// The number of its first input.
  package var first: Int { index + 1 }

  /// Whether an input, numbered from 1, belongs to the shard.
  package func contains(_ input: Int) -> Bool { (input - 1) % count == index }
}
