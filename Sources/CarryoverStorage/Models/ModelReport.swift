/// What a model's migration found and did.
public struct ModelReport<Value> {
  /// A step that was run.
  package struct Step: Hashable, Sendable {
    /// The version it started from.
    package var from: Int
    /// What it does.
    package var title: String
    /// What it changed.
    package var changes: [JSONChange]
  }

  /// The value in use; nil where nothing is stored.
  public var value: Value?
  /// The version that was found; nil where nothing is stored.
  public var from: Int?
  /// The version that stands there now; nil where nothing is stored.
  public var to: Int?
  /// The steps that were run, in order.
  package var stages: [Step]
  /// Where the old data is kept; nil where nothing was written.
  public var backup: ModelBackup?

  /// What each step that was run does, in order; none where the data was in the newest version.
  public var steps: [String] { stages.map(\.title) }
  /// Whether anything was written.
  public var hasWritten: Bool { backup != nil }
}

extension ModelReport: Sendable where Value: Sendable {}

/// Where the data of a model stands.
public enum ModelState: Sendable {
  /// There is no data, and nothing to do.
  case nothingStored
  /// It is in the newest version.
  case current
  /// It is in an older version.
  case pending(from: Int, to: Int)
  /// It cannot be migrated, and why.
  case failed(ModelMigrationError)
}

/// What happens while a model is migrated.
public enum ModelEvent: Sendable {
  /// Older data was found.
  case began(from: Int, to: Int)
  /// A step was run, in memory.
  case stepped(from: Int, title: String)
  /// The old data was kept.
  case backedUp(ModelBackup)
  /// It ended well; both versions are nil where nothing is stored, and equal where nothing was to do.
  case ended(from: Int?, to: Int?)
  /// It failed; the old data stands, unless the error says otherwise.
  case failed(ModelMigrationError)
}

/// Old data of a model that is kept.
public struct ModelBackup: Hashable, Sendable {
  /// The name it is kept under.
  package let name: String
  /// The version of the data; nil where it was set aside by going back.
  public let version: Int?
  /// The checksum of its bytes, which is part of the name.
  package let checksum: String

  /// - Parameter number: which of several with the same checksum, from 1.
  init(of data: String, version: Int?, checksum: String, number: Int = 1) {
    let counted = number > 1 ? "-\(number)" : ""
    name = "\(NameStem.of(data)).backup-\(version.map { "v\($0)" } ?? "aside")-\(checksum)\(counted)"
    self.version = version
    self.checksum = checksum
  }

  /// The backup a name is of; nil where it is none of that data.
  init?(name: String, of data: String) {
    let prefix = NameStem.of(data) + ".backup-"
    guard name.hasPrefix(prefix) else { return nil }
    let parts = name.dropFirst(prefix.count).split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 || parts.count == 3 else { return nil }
    let version = parts[0] == "aside" ? nil : Int(parts[0].dropFirst())
    let number = parts.count == 3 ? Int(parts[2]) ?? 0 : 1
    // Only what this type writes is taken for a backup: a name of the app's own may look much like one.
    self.init(of: data, version: version, checksum: parts[1], number: number)
    guard self.name.utf8.elementsEqual(name.utf8), parts[1].utf8.count == 16 else { return nil }
  }
}
