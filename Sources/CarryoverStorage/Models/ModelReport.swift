import CarryoverSystem
public import PropertyLists

/// What a model's migration found and did.
public struct ModelReport<Value> {
  /// A step that ran.
  package struct Step: Hashable, Sendable {
    /// The version it started from.
    package var from: Int
    /// The step's title.
    package var title: String
    /// What the step changed.
    package var changes: [JSONChange]
  }

  /// The decoded value; nil if nothing is stored.
  public var value: Value?
  /// The version before the migration; nil if nothing is stored.
  public var from: Int?
  /// The version after the migration; nil if nothing is stored.
  public var to: Int?
  /// The steps that ran, in order.
  package var stages: [Step]
  /// The backup of the old data; nil if nothing was written.
  public var backup: ModelBackup?

  /// The title of each step that ran, in order; empty if the data was in the newest version.
  public var steps: [String] { stages.map(\.title) }
  /// Whether anything was written.
  public var hasWritten: Bool { backup != nil }
}

extension ModelReport: Sendable where Value: Sendable {}

/// The state of a model's data.
public enum ModelState: Sendable {
  /// There is no data.
  case nothingStored
  /// The data is in the newest version.
  case current
  /// The data is in an older version.
  case pending(from: Int, to: Int)
  /// The data cannot be migrated, for this reason.
  case failed(ModelMigrationError)
}

/// An event of a model's migration.
public enum ModelEvent: Sendable {
  /// Older data was found.
  case began(from: Int, to: Int)
  /// A step ran, in memory.
  case stepped(from: Int, title: String)
  /// The old data was backed up.
  case backedUp(ModelBackup)
  /// The migration succeeded. Both versions are nil if nothing is stored, and equal if there was nothing to migrate.
  case ended(from: Int?, to: Int?)
  /// The migration failed. The old data is in place unless the error says otherwise.
  case failed(ModelMigrationError)
}

/// A backup of a model's data.
public struct ModelBackup: Hashable, Sendable {
  /// The name of the backup.
  package let name: String
  /// The version of the data; nil if a restoration backed it up and no version is stored beside it.
  public let version: Int?
  /// The checksum of its bytes, which is part of the name.
  package let checksum: String

  /// - Parameter number: the number among the backups with the same checksum, from 1.
  init(of data: String, version: Int?, checksum: String, number: Int = 1) {
    let counted = number > 1 ? "-\(number)" : ""
    name = "\(NameStem.of(data)).backup-\(version.map { "v\($0)" } ?? "aside")-\(checksum)\(counted)"
    self.version = version
    self.checksum = checksum
  }

  /// The backup of a name; nil if it is not one of this data.
  init?(name: String, of data: String) {
    let prefix = NameStem.of(data) + ".backup-"
    guard name.hasPrefix(prefix) else { return nil }
    let parts = name.dropFirst(prefix.count).split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 || parts.count == 3 else { return nil }
    let version = parts[0] == "aside" ? nil : Int(parts[0].dropFirst())
    let number = parts.count == 3 ? Int(parts[2]) ?? 0 : 1
    // Only a name that this type writes is a backup's: a name of the app's own may look similar.
    self.init(of: data, version: version, checksum: parts[1], number: number)
    guard self.name.utf8.elementsEqual(name.utf8), parts[1].utf8.count == 16 else { return nil }
  }
}

// Printed reports end up in logs. They name places and types but contain none of a user's values: neither in
// `description` nor through reflection, which `print` and `dump` use for a type without one.

extension JSONChange: CustomStringConvertible, CustomReflectable {
  /// The place, and the types of the old and the new value.
  package var description: String {
    "\(place): \(before?.kind.rawValue ?? "nothing") → \(after?.kind.rawValue ?? "nothing")"
  }

  /// The place and the types, without the values.
  package var customMirror: Mirror {
    Mirror(self, children: ["path": path, "before": before?.kind as Any, "after": after?.kind as Any])
  }

  private var place: String {
    path.isEmpty ? "the outermost value" : DisplayText.quoted(path.joined(separator: "."))
  }
}

extension ModelReport: CustomStringConvertible, CustomReflectable, Described {
  /// The versions, the steps with the places they changed, and the backup.
  package var words: String {
    guard let from, let to else { return "Nothing is stored." }
    guard let backup else { return "The data is in version \(to); nothing was written." }
    let lines = stages.flatMap { step in
      ["\n\(step.from) → \(step.from + 1): \(DisplayText.harmless(step.title))"] + step.changes.map { "\n  \($0)" }
    }
    return "Version \(from) → \(to); the old data is kept as \(DisplayText.quoted(backup.name))." + lines.joined()
  }

  /// The versions, the steps and the backup, without the value.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "hasValue": value != nil, "from": from as Any, "to": to as Any, "steps": stages, "backup": backup as Any,
      ])
  }
}

extension ModelMigrator.Stage: CustomStringConvertible, CustomReflectable {
  /// The step, and the places it changed.
  package var description: String {
    "\(from) → \(from + 1): \(DisplayText.harmless(title))" + changes.map { "\n  \($0)" }.joined()
  }

  /// The step and what it changed, without the data.
  package var customMirror: Mirror { Mirror(self, children: ["from": from, "title": title, "changes": changes]) }
}
