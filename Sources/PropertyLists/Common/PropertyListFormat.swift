/// The two formats in use for stores.
public enum PropertyListFormat: String, Sendable, Hashable, CaseIterable {
  /// `bplist00`.
  case binary
  /// An XML document of the PropertyList-1.0 vocabulary.
  case xml
}
