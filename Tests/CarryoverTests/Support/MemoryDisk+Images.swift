import Carryover
import CarryoverStorage
import CarryoverSystem

extension MemoryDisk {
  /// The disks that a loss of power at this moment could leave: every change to a folder that was not brought to the
  /// disk is there or not, whatever became of the others, and every file's bytes that were not are absent, cut short,
  /// zeroes or whole.
  ///
  /// Where there are more than `limit`, these stand for them: everything kept, everything lost, each one lost or kept
  /// alone, each content of each file, and a sample of `limit` others that is the same every time.
  func everyImage(limit: Int) -> [MemoryDisk] {
    let files = uncertainFiles
    let choices = pending.map { _ in 2 } + files.map(\.contents.count)
    // The first choice of each is: kept, whole. The last is: lost, absent.
    var selections: [[Int]] = []
    var total = 1
    for count in choices where total <= limit { total *= count }
    if total <= limit {
      selections = [[]]
      for count in choices { selections = selections.flatMap { chosen in (0..<count).map { chosen + [$0] } } }
    } else {
      let kept = choices.map { _ in 0 }
      let lost = choices.map { $0 - 1 }
      selections = [kept, lost]
      for (index, count) in choices.enumerated() {
        for choice in 0..<count {
          for var selection in [kept, lost] where selection[index] != choice {
            selection[index] = choice
            selections.append(selection)
          }
        }
      }
      var generator = Scatter(seed: UInt64(choices.count))
      for _ in 0..<limit { selections.append(choices.map { Int(generator.next() % UInt64($0)) }) }
    }
    return selections.map { selection in
      let contents = zip(files, selection.dropFirst(pending.count)).map { ($0.number, $0.contents[$1]) }
      return image(keeping: { selection[$0] == 0 }, contents: Dictionary(uniqueKeysWithValues: contents))
    }
  }

  /// The files that may be found under some name and that are not on the disk as everybody sees them, with what may be
  /// there instead: all of it first, nothing of it last.
  private var uncertainFiles: [(number: Int, contents: [MemoryNode])] {
    var named = Set(pending.flatMap { $0.entries.values.compactMap(\.self) })
    for node in durable.values { named.formUnion(node.entries.values) }
    return named.sorted().compactMap { number in
      guard let seen = nodes[number], let old = durable[number], seen.kind == .regular else { return nil }
      guard seen != old else { return nil }
      var contents = [seen]
      if seen.bytes != old.bytes {
        var (zeroes, cut, unlabelled) = (seen, seen, seen)
        zeroes.bytes = seen.bytes.map { _ in 0 }
        cut.bytes = Array(seen.bytes.prefix(max(old.bytes.count, seen.bytes.count / 2)))
        (unlabelled.mode, unlabelled.user, unlabelled.group) = (old.mode, old.user, old.group)
        contents += [zeroes, cut]
        if unlabelled != seen { contents.append(unlabelled) }
      }
      return (number, contents + [old])
    }
  }
}

/// Numbers without a pattern that are the same every time. The constants are those of SplitMix64.
struct Scatter {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
