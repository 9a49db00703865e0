import Carryover
import CarryoverTerminal

extension Screen {
  /// A filter being typed over the stores.
  static let storesFilter = Screen("stores-filter", "Filter")
}

/// The order of the stores, and the filter that narrows them.
extension BrowserState {
  /// Lists the stores by the next order.
  mutating func sortNext() -> [BrowserEffect] {
    let orders = StoreOrder.allCases.filter { order in
      order != .modified || outline.roots.contains { $0.store?.modified != nil }
    }
    let next = orders[((orders.firstIndex(of: outline.order) ?? 0) + 1) % orders.count]
    let arranged = Outline(outline, order: next, bundleID: bundleID)
    index = nil
    if let text = filter?.text {
      filter = StoreFilter(text: text, before: arranged)
      rearrange(to: filtered(text, arranged))
    } else {
      rearrange(to: arranged)
    }
    message = "Stores \(next.words ?? (bundleID == nil ? "in their first order" : "with the app's own first"))."
    return []
  }

  /// Begins to type a filter, or to change the one that is on.
  mutating func beginFilter() -> [BrowserEffect] {
    stack.typing = LineEditor(.storesFilter, text: filter?.text ?? "")
    filter = filter ?? StoreFilter(text: "", before: outline)
    return []
  }

  /// Lists only the stores and keys whose names hold what is typed.
  mutating func filter(by text: String) {
    guard let before = filter?.before else { return }
    filter?.text = text
    rearrange(to: filtered(text, before))
  }

  /// The stores as far as a filter lists them.
  private mutating func filtered(_ text: String, _ outline: Outline) -> Outline {
    guard !text.isEmpty else { return outline }
    let found = index ?? SearchIndex(outline)
    index = found
    return Outline(outline, filter: OutlineFilter(found.matches(text, isNameOnly: true).map { found.place($0) }))
  }

  /// Keeps the filter that is typed; an empty one ends.
  mutating func keepFilter() -> [BrowserEffect] {
    stack.typing = nil
    guard let filter else { return [] }
    if filter.text.isEmpty { return endFilter() }
    if outline.rows.isEmpty {
      message = "No store and no key is called \(options.quoted(filter.text)); \(key("back", .stores)) lists all again."
    }
    return []
  }

  /// Lists everything again.
  mutating func endFilter() -> [BrowserEffect] {
    stack.typing = nil
    guard let before = filter?.before else { return [] }
    filter = nil
    rearrange(to: before)
    return []
  }

  /// Changes the rows; the cursor stays with its value, or goes to the first store.
  private mutating func rearrange(to other: Outline) {
    let old = selectedRow.map { outline.path($0) }
    outline = other
    stack.revision += 1
    let found = old.flatMap { outline.reveal($0) }
    cursor = found?.isWhole == true ? found?.position ?? 0 : outline.firstStore
    if let query = search?.query { find(query) }
    revealCursor()
  }

  /// The stores that are listed.
  var listedStores: Int {
    outline.rootPlaces.count { $0.root.store != nil && outline.filter?.lists($0.place) ?? true }
  }
}

/// What narrows the stores.
struct StoreFilter: Sendable {
  /// What is typed.
  var text: String
  /// The rows without it.
  var before: Outline
}

extension Outline {
  /// Where the first store is; 0 where there is none.
  var firstStore: Int {
    rows.firstIndex { if case .root = item($0) { true } else { false } } ?? 0
  }

  /// The root that a place is in, and how many steps lead to it; nil for a folder.
  func root(at place: [Int]) -> (root: Root, depth: Int)? {
    switch place.first.flatMap({ topItems.element($0) }) {
    case .folder(let folder): place.element(1).flatMap { folder.roots.element($0) }.map { (roots[$0], 2) }
    case .root(let root): (root, 1)
    case .value, nil: nil
    }
  }

  /// The file name of a root, with the folder it is in where others have the same name.
  func shortName(of root: Root) -> String {
    let isAlone = roots.count { $0.fileName == root.fileName } == 1
    return isAlone ? root.fileName : root.name.split(separator: "/").suffix(2).joined(separator: "/")
  }

  /// The folder that a place is in; nil for what is in none.
  func folder(at place: [Int]) -> Folder? {
    if case .folder(let folder) = place.first.flatMap({ topItems.element($0) }) { folder } else { nil }
  }
}
