import CarryoverContainers
import CarryoverSystem
import PropertyLists

/// The inputs of an audit in the order in which they are found, each once.
struct AuditInputs {
  struct Input {
    /// The number of the input among all, from 1.
    var number: Int
    var path: String
    /// The path in the rows.
    var shown: String
  }

  private let roots: [(given: String, real: String)]
  private let shard: AuditShard
  private var place = -1
  private var walk: ContainerWalk?
  /// What was found; nil unless a root is inside another one.
  private var seen: Set<StringByBytes>?
  /// How many inputs were found, those of other shards too.
  private(set) var count = 0
  /// A digest over the paths of these, in order.
  private(set) var digest = ""

  init(_ roots: [String], of shard: AuditShard = .whole) {
    self.roots = roots.map { ($0, Self.real($0)) }
    self.shard = shard
    let sorted = self.roots.map { $0.real + "/" }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    if zip(sorted, sorted.dropFirst()).contains(where: { $1.hasPrefix($0) }) { seen = [] }
  }

  static func real(_ path: String) -> String { (try? POSIXFileSystem().resolve(path)) ?? path }

  mutating func next() -> Input? {
    while let (path, shown) = find() {
      count += 1
      digest = SHA256.hexDigest(Array((digest + "\n" + path).utf8))
      if shard.contains(count) { return Input(number: count, path: path, shown: shown) }
    }
    return nil
  }

  private mutating func find() -> (path: String, shown: String)? {
    while true {
      if let found = walk?.next() {
        let root = roots[place]
        let path = found.isEmpty ? root.real : FilePath.join(root.real, found)
        guard seen?.insert(path) != false else { continue }
        if roots.count > 1 { return (path, found.isEmpty ? root.given : FilePath.join(root.given, found)) }
        return (path, found.isEmpty ? FilePath.name(of: root.given) : found)
      }
      place += 1
      guard place < roots.count else { return nil }
      walk = ContainerWalk(POSIXFileSystem(), at: roots[place].real)
    }
  }
}
