/// Why the mark of what was restored before is not understood. It stays as it is, and so does everything else.
package enum RestorationMarkDefect: Error, Hashable, Sendable {
  /// A later version of this library has written it, in this version of its form.
  case newer(found: Int64)
  /// It is not what any version writes.
  case damaged
}

extension RestorationMarkDefect: CustomStringConvertible {
  /// What is wrong, and what to do.
  package var description: String {
    switch self {
    case .newer(let found):
      "the mark \(RestorationMark.key) has form \(found), and this version knows form \(RestorationMark.version); update the"
        + " app. Nothing was written."
    case .damaged:
      "the mark \(RestorationMark.key) is not understood; remove it from the new SDK's suite to restore again. Nothing was"
        + " written."
    }
  }
}
