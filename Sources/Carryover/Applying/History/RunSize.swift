import CarryoverSystem

/// The size of a run's folder in bytes, as far as it can be read.
struct RunSize {
  /// The size of the file copies.
  private(set) var copies = 0
  /// The size of the record and all other files.
  private(set) var rest = 0

  var total: Int { Self.sum(copies, rest) }

  init(of id: RunID, _ store: RunStore) {
    rest = Self.size(store.folder(id), store)
    for side in RunStore.Side.allCases {
      copies = Self.sum(copies, Self.size(store.folder(id) + "/" + side.rawValue, store))
    }
  }

  /// The size of the files in a folder. Links do not count.
  private static func size(_ folder: String, _ store: RunStore) -> Int {
    guard (try? store.isFolder(folder)) == true, let names = try? store.fileSystem.list(folder) else { return 0 }
    return names.reduce(0) { size, name in
      guard let status = try? store.fileSystem.status(folder + "/" + name), status.kind == .regular else { return size }
      return sum(size, Int(clamping: max(0, status.size)))
    }
  }

  static func sum(_ left: Int, _ right: Int) -> Int {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
  }
}
