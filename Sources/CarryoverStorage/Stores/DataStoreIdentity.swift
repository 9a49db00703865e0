import PropertyLists

/// The identity of a store. Stores with one identity share their bytes: each reads what another stores under a name.
public struct DataStoreIdentity: Hashable, Sendable {
  private let object: ObjectIdentifier?
  private let place: [StringByBytes]

  /// The identity of an object, as long as it exists.
  package init(object: AnyObject) {
    self.object = ObjectIdentifier(object)
    place = []
  }

  /// Creates an identity from a kind of store and one store of that kind, such as a folder's path.
  public init(_ kind: String, _ place: String) {
    object = nil
    self.place = [StringByBytes(kind), StringByBytes(place)]
  }
}
