import CarryoverSystem
import PropertyLists

extension Container {
  /// The value that `STORE:KEY` names: STORE is the path of a store or the end of one; KEY is a ``TypedPath``, such as
  /// `rl_traits.address.lines[2]`, and may be missing.
  package func place(_ text: String) throws(ChangeError) -> InspectedPath {
    var found = stores(named: text)
    var key = ""
    // A store's path may contain a colon.
    for colon in text.indices where found.isEmpty && text[colon] == ":" {
      found = stores(named: String(text[..<colon]))
      key = String(text[text.index(after: colon)...].drop { $0 == " " })
    }
    let store = try only(found, named: String(text.prefix { $0 != ":" }))
    guard !key.isEmpty else { return InspectedPath(store: store.path) }
    do throws(ChangeError) {
      return try value(store: store.path, key: key).path
    } catch {
      switch error {
      case .ambiguousKey, .noValue: throw error
      default: throw .noValue(InspectedPath(store: store.path), nearest: nil)
      }
    }
  }

  /// The place that a store's name and a typed key lead to, whether or not there is a value.
  package func place(store name: String, key: String) throws(ChangeError) -> InspectedPath {
    let store = try onlyStore(named: name)
    guard let root = InspectedValue(store) else { throw .unreadable(store.problem ?? "") }
    return InspectedPath(store: store.path, labels: try TypedPath(key, in: root).labels)
  }

  /// The value that a store's name and a typed key lead to.
  package func value(store name: String, key: String) throws(ChangeError) -> (
    path: InspectedPath, child: InspectedChild
  ) {
    let path = try place(store: name, key: key)
    guard let child = store(path.store).flatMap({ InspectedValue($0) })?.value(at: path.labels) else {
      throw missing(path)
    }
    return (path, child)
  }

  /// The error for a path to no value: the first part of it that does not exist, and what is there instead.
  func missing(_ path: InspectedPath) -> ChangeError {
    guard let root = store(path.store).flatMap({ InspectedValue($0) }) else { return .noValue(path, nearest: nil) }
    var around = root
    var known = InspectedPath(store: path.store)
    for (place, label) in path.labels.enumerated() {
      guard let child = around.index(of: label).flatMap({ around.child(at: $0) }) else {
        return .noValue(
          InspectedPath(store: path.store, labels: known.labels + [label]),
          nearest: Self.nearest(to: path.labels[place...], in: around, at: known.labels, of: root),
          around: Self.sentence(around, at: known))
      }
      known.labels.append(label)
      around = child.value
    }
    return .noValue(path, nearest: nil)
  }

  /// The path, as it is typed, to the value with the name that is most similar to labels without a value. That name may
  /// contain dots.
  private static func nearest(
    to labels: ArraySlice<InspectedChild.Label>, in value: InspectedValue, at known: [InspectedChild.Label],
    of root: InspectedValue
  ) -> String? {
    let names = Array((0..<value.count).lazy.compactMap { value.child(at: $0)?.label.name }.prefix(mostNames))
    for count in (1...min(labels.count, mostParts)).reversed() {
      let parts = labels.prefix(count).compactMap(\.name)
      guard parts.count == count, let name = Nearest.name(to: parts.joined(separator: "."), among: names) else {
        continue
      }
      let (found, rest) = (InspectedChild.Label.name(name), labels.dropFirst(count))
      let path = known + [found] + (value.value(at: [found] + rest) == nil ? [] : Array(rest))
      let texts = [name, InspectedPath(store: "", labels: path).labelText, ChangeError.exact(path)]
      return texts.first { DisplayText.harmless($0) == $0 && (try? TypedPath($0, in: root).labels) == path }
    }
    return nil
  }

  /// Why a value does not have a member or an element; nil if it has other names.
  private static func sentence(_ value: InspectedValue, at path: InspectedPath) -> String? {
    let name = path.labels.isEmpty ? DisplayText.quoted(ValueWording.fileName(path.store)) : path.labelText
    if value.isList {
      let next = InspectedPath(store: path.store, labels: path.labels + [.index(value.count)]).labelText
      return "\(name) has \(ValueWording.counted(value.count, "element")); a new one is \(next)."
    }
    guard !value.isContainer, let kind = value.content.propertyListValue?.kind else { return nil }
    return "\(name) is \(ValueWording.name(kind)), which has no members."
  }

  private static let mostNames = 10_000
  private static let mostParts = 8
}

extension InspectedValue {
  fileprivate var isList: Bool {
    switch content {
    case .propertyList(.array), .json(.array), .keyed(.array): true
    default: false
    }
  }
}
