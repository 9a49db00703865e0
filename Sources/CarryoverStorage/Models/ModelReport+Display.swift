import CarryoverSystem
public import PropertyLists

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
