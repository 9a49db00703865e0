import PropertyLists

/// What tells whether two stores are one: whatever is put under a name of one is found under the same name of the other.
public struct DataStoreIdentity: Hashable, Sendable {
  private let object: ObjectIdentifier?
  private let place: [StringByBytes]

  /// A store that is one object, as long as that lives.
  package init(object: AnyObject) {
    self.object = ObjectIdentifier(object)
    place = []
  }

  /// A store that is a place of the system's: a kind of place, and which one it is, such as a folder's path.
  public init(_ kind: String, _ place: String) {
    object = nil
    self.place = [StringByBytes(kind), StringByBytes(place)]
  }
}
