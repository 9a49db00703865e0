/// Why the mark of an earlier restoration is not understood. Nothing is written then.
package enum RestorationMarkDefect: Error, Hashable, Sendable {
  /// A later version of this library wrote the mark, in this version of the format.
  case newer(found: Int64)
  /// No version writes such a mark.
  case damaged
}

extension RestorationMarkDefect: CustomStringConvertible {
  /// The reason, and what to do.
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
