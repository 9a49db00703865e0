import Carryover
import CarryoverPages
import CarryoverSystem
import CarryoverTerminal

extension Screen {
  static let storesFilter = Screen("stores-filter", "Filter")
}

extension BrowserState {
  mutating func sortNext() {
    let orders = StoreOrder.allCases.filter { order in
      order != .modified || outline.roots.contains { $0.store?.modified != nil }
    }
    let next = orders[((orders.firstIndex(of: outline.order) ?? 0) + 1) % orders.count]
    let arranged = outline.sorted(by: next)
    index = nil
    if let text = filter?.text { filter = StoreFilter(text: text, before: arranged) }
    rearrange(to: filtered(filter?.text ?? "", arranged))
    message = "Stores \(next.words ?? (outline.bundleID == nil ? "in their first order" : "with the app's own first"))."
  }

  mutating func beginFilter() {
    stack.typing = LineEditor(.storesFilter, text: filter?.text ?? "")
    filter = filter ?? StoreFilter(text: "", before: outline)
  }

  mutating func filter(by text: String) {
    guard let before = filter?.before else { return }
    filter?.text = text
    rearrange(to: filtered(text, before))
  }

  private mutating func filtered(_ text: String, _ outline: Outline) -> Outline {
    guard !text.isEmpty else { return outline }
    let found = index ?? SearchIndex(outline)
    index = found
    return outline.narrowed(
      to: OutlineFilter(places: found.matches(SearchText(text, isExact: false), isNameOnly: true).map(found.place)))
  }

  mutating func keepFilter() {
    stack.typing = nil
    guard let filter else { return }
    if filter.text.isEmpty { return endFilter() }
    if outline.rows.isEmpty {
      message = "No store or key has the name \(options.quoted(filter.text)); \(key("back", .stores)) lists all again."
    }
  }

  mutating func endFilter() {
    stack.typing = nil
    guard let before = filter?.before else { return }
    filter = nil
    rearrange(to: before)
  }

  private mutating func rearrange(to other: Outline) {
    let old = selectedRow.map { outline.path($0) }
    outline = other
    differencePlaces = outline.placesOfDifferences()
    let found = old.flatMap { outline.reveal($0) }
    cursor = found?.isWhole == true ? found?.position ?? 0 : outline.firstStore
    if let wanted = search?.wanted { find(wanted) }
    revealCursor()
  }

  var listedStores: Int {
    outline.rootPlaces.count { $0.root.store != nil && outline.filter?.lists($0.place) ?? true }
  }
}

struct StoreFilter: Sendable {
  var text: String
  var before: Outline
}

extension Outline {
  var firstStore: Int {
    rows.firstIndex { if case .root = item($0) { true } else { false } } ?? 0
  }

  /// The root at a place, and how many steps of the place lead to it; nil for a folder.
  func root(at place: [Int]) -> (root: Root, depth: Int)? {
    switch place.first.flatMap({ tops.element($0) }) {
    case .folder(let folder): place.element(1).flatMap { folder.roots.element($0) }.map { ($0, 2) }
    case .root(let root): (root, 1)
    case .value, nil: nil
    }
  }

  /// With its folder where other roots have the same file name.
  func shortName(of root: Root) -> String {
    let isAlone = roots.count { $0.fileName == root.fileName } == 1
    return isAlone ? root.fileName : FilePath.components(root.name).suffix(2).joined(separator: "/")
  }
}

enum StoreOrder: String, CaseIterable, Sendable {
  case own, name, size, modified, keys

  var words: String? {
    switch self {
    case .own: nil
    case .name: "by name"
    case .size: "by size"
    case .modified: "by time"
    case .keys: "by number of keys"
    }
  }

  /// The indices of the roots in this order; unknown sizes and times come last.
  func sorted(_ roots: [Outline.Root], bundleID: String?) -> [Int] {
    let ranks = roots.map { root in
      switch self {
      case .own: Self.rank(of: root.fileName, bundleID)
      case .name: 0
      case .size: root.store?.size.map { ~$0 } ?? 0
      case .modified: root.store?.modified.map { ~Int(clamping: $0.millisecondsSince1970) } ?? 0
      case .keys: root.value.map { ~$0.count } ?? 0
      }
    }
    let names = roots.map { ($0.fileName.lowercased(), $0.name) }
    return roots.indices.sorted { (ranks[$0], names[$0].0, names[$0].1) < (ranks[$1], names[$1].0, names[$1].1) }
  }

  /// The app's preferences first, then its suites, its other files, and files of others, whose names begin with another
  /// organisation's domain.
  private static func rank(of name: String, _ bundleID: String?) -> Int {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard let bundleID else { return parts.count > 3 ? 3 : 2 }
    if name == bundleID + ".plist" { return 0 }
    let organisation = bundleID.split(separator: ".").prefix(2).joined(separator: ".") + "."
    let own = [bundleID + ".", "group." + organisation, "iCloud." + organisation, organisation]
    if own.contains(where: name.hasPrefix) { return 1 }
    return parts.count > 3 ? 3 : 2
  }
}

extension Outline.Root {
  var store: Store? { if case .store(let store, _) = self { store } else { nil } }
  var value: InspectedValue? { if case .store(_, let value) = self { value } else { nil } }
  var fileName: String { FilePath.name(of: name) }
  var folder: String { FilePath.components(name).dropLast().joined(separator: "/") }
  var isNotice: Bool { if case .notice = self { true } else { false } }
}

/// What a filter lists: the places found, with everything in them, and the way to them.
struct OutlineFilter: Sendable {
  /// The places found in one of which only some children are listed.
  typealias Branch = Range<Int>

  /// In the outline's order, so that a place comes before those in it.
  let places: [[Int]]

  var root: Branch { places.indices }

  /// The listed children of a place at a depth, ascending.
  func indices(of branch: Branch, depth: Int) -> [Int] {
    places[branch].reduce(into: []) { if $0.last != $1[depth] { $0.append($1[depth]) } }
  }

  /// Nil for a child that is listed whole.
  func branch(of index: Int, in branch: Branch, depth: Int) -> Branch? {
    let inside = inside(index, of: branch, depth: depth)
    return isWhole(inside, depth: depth) ? nil : inside
  }

  func lists(_ place: [Int]) -> Bool {
    var branch = root
    for (depth, index) in place.enumerated() {
      branch = inside(index, of: branch, depth: depth)
      if isWhole(branch, depth: depth) { return !branch.isEmpty }
    }
    return true
  }

  private func isWhole(_ inside: Branch, depth: Int) -> Bool {
    inside.first.map { places[$0].count == depth + 1 } ?? true
  }

  /// The places found in a child, or the child itself.
  private func inside(_ index: Int, of branch: Branch, depth: Int) -> Branch {
    func start(_ index: Int) -> Int { branch.firstNot { places[$0][depth] < index } }
    return start(index)..<start(index + 1)
  }
}
