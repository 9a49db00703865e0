/// A finding that several fields have: the same code and sentences, once.
package struct SharedFinding: Sendable {
  /// The finding of the first field.
  package let finding: Finding
  /// The fields; empty for the container as a whole.
  package fileprivate(set) var fields: [String]
}

extension Array where Element == Finding {
  /// The findings without repetition, in the order in which each occurs first.
  package var shared: [SharedFinding] {
    var found: [SharedFinding] = []
    var places: [Finding: Int] = [:]
    for finding in self {
      // Without the field, and with the source only where the sentences name it.
      var same = finding
      same.field = finding.field.map { _ in "" }
      if same.message == Finding(finding.observation).message { same.source = nil }
      if let place = places[same] {
        if let field = finding.field { found[place].fields.append(field) }
      } else {
        places[same] = found.count
        found.append(SharedFinding(finding: finding, fields: finding.field.map { [$0] } ?? []))
      }
    }
    return found
  }
}
