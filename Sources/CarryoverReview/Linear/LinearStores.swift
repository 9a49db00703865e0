package import Carryover
import CarryoverTerminal
import CarryoverVendors
import PropertyLists

/// The stores of a container by prompts: what stands at a place is listed, a number or a name leads into it, what is
/// packed is opened on the way.
package struct LinearStores: Sendable {
  /// What a line leads to.
  package struct Step: Sendable {
    /// What is to be printed, a line each.
    package var lines: [String] = []
    /// Whether the stores are left.
    package var isLeft = false
  }

  private struct Level: Sendable {
    var label: InspectedChild.Label
    var value: InspectedValue
  }

  let ink: Ink
  let options: ReviewOptions
  private let stores: [Store]
  private let others: [String]
  /// What is known of stores from the SDK that wrote them, by path.
  private let remarks: [String: [StoreRemark]]
  /// The store that is open, and the values opened in it, outermost first.
  private var store: Int?
  private var root: InspectedValue?
  private var levels: [Level] = []
  private var said = 0

  /// How many rows are said at once.
  private static let page = 30
  /// How much a search looks at, and how many places it says.
  private static let mostLooks = 5_000_000
  private static let mostMatches = 100

  /// The stores of a container.
  package init(_ container: Container, options: ReviewOptions) {
    let shown = options.redaction?.container(container) ?? container
    self.options = options
    ink = Ink(options)
    stores = shown.stores
    let remarks = shown.remarks
    self.remarks = Dictionary(grouping: remarks, by: \.path)
    others =
      shown.unsentEvents.map {
        "\($0.path): \($0.count.map { counted($0, "unsent event") } ?? "unsent events, not counted")"
      }
      + remarks.filter { $0.subject == .sign }.map { "\($0.path): \($0.sentence)" } + shown.notices
  }

  /// What asks for the next line.
  package var prompt: String {
    guard let store, stores.indices.contains(store) else { return "Stores. Answer: " }
    let place = levels.last.map { ink.label($0.label, columns: 60) } ?? ink.tail(stores[store].path, columns: 60)
    return "\(place). Answer: "
  }

  /// What is said first.
  package mutating func start() -> Step {
    var writer = LinearWriter(ink)
    list(&writer, isNew: true)
    return Step(lines: writer.lines)
  }

  /// Goes to a key of a store, if both are there.
  package mutating func show(store path: String, key: String) {
    guard let index = stores.firstIndex(where: { $0.path == path }) else { return }
    enter(store: index)
    guard let root else { return }
    for place in 0..<root.count where root.child(at: place)?.label == .name(key) {
      if let child = root.child(at: place) { enter(child) }
      return
    }
  }

  /// Takes a line.
  package mutating func take(line: String) -> Step {
    var writer = LinearWriter(ink)
    let parsed = LinearVocabulary.stores.parse(line)
    switch parsed {
    case .number(let number): open(number: number, &writer)
    case .answer(let answer, let argument):
      if let obstacle = answer.obstacle(self) {
        writer.quote(obstacle)
        break
      }
      switch answer.meaning(argument) {
      case .open(let name): open(name, &writer)
      case .up:
        if levels.popLast() == nil { (store, root) = (nil, nil) }
        list(&writer, isNew: true)
      case .list: list(&writer, isNew: true)
      case .more: list(&writer, isNew: false)
      case .find(let text): find(text, &writer)
      case .value: value(&writer)
      case .help(let word): writer.help(LinearVocabulary.stores, self, about: word)
      case .leave: return Step(lines: [], isLeft: true)
      }
    default: if let complaint = parsed.complaint(ink) { writer.say(complaint) }
    }
    return Step(lines: writer.lines)
  }

  /// Whether it stands in a store.
  var isInside: Bool { store != nil }

  /// Whether there is more of the list to be said.
  var hasMore: Bool { said < count }

  private var current: InspectedValue? {
    levels.last?.value ?? root
  }

  private var count: Int { store == nil ? stores.count : current?.count ?? 0 }

  /// Where it stands, as a path.
  private var path: String {
    guard let store, stores.indices.contains(store) else { return "" }
    return InspectedPath(store: stores[store].path, labels: levels.map(\.label)).text
  }

  private mutating func enter(store index: Int) {
    (store, levels, root) = (index, [], InspectedValue(stores[index]))
  }

  private mutating func enter(_ child: InspectedChild) {
    let isHidden = child.label.isSecret
    levels.append(Level(label: child.label, value: child.value(limits: isHidden ? .closed : .default)))
  }

  private mutating func open(_ index: Int, _ writer: inout LinearWriter) {
    guard index >= 0, index < count else {
      return writer.say(count == 0 ? "There is nothing to open here." : "There is 1 to \(count) here.")
    }
    if store == nil {
      enter(store: index)
    } else if let child = current?.child(at: index) {
      guard !child.label.isSecret else {
        return writer.say("This value is a secret: it is not shown, and no search looks into it.")
      }
      enter(child)
    }
    list(&writer, isNew: true)
  }

  /// By a number as it was typed: the least there is has none before it.
  private mutating func open(number: Int, _ writer: inout LinearWriter) {
    open(number > 0 ? number - 1 : -1, &writer)
  }

  /// By a number, or by a name: in full, or else the one name that holds the text.
  private mutating func open(_ name: String, _ writer: inout LinearWriter) {
    if let number = Int(name) { return open(number: number, &writer) }
    let labels = (0..<min(count, 100_000)).map(label)
    let wanted = name.lowercased()
    let matches =
      labels.indices.filter { labels[$0] == name }.nonEmpty
      ?? labels.indices.filter { labels[$0].lowercased() == wanted }.nonEmpty
      ?? labels.indices.filter { labels[$0].lowercased().contains(wanted) }
    guard matches.count == 1, let only = matches.first else {
      if matches.isEmpty { return writer.say("Nothing here has that name. find looks everywhere.") }
      writer.say("\(matches.count) names here hold that. Type the number of one.")
      for index in matches.prefix(Self.page) { row(index, &writer) }
      return
    }
    open(only, &writer)
  }

  private func label(_ index: Int) -> String {
    guard store != nil else { return stores[index].path }
    return switch current?.child(at: index)?.label {
    case .name(let name): name
    case .index(let index): "[\(index)]"
    case nil: ""
    }
  }

  private mutating func list(_ writer: inout LinearWriter, isNew: Bool) {
    if isNew {
      said = 0
      heading(&writer)
    }
    for index in min(said, count)..<min(count, said + Self.page) { row(index, &writer) }
    said = min(count, said + Self.page)
    if said < count { writer.say("And \(count - said) more: more reads on.") }
    if isNew, store == nil { for other in others.prefix(100) { writer.quote(other) } }
  }

  private func heading(_ writer: inout LinearWriter) {
    guard let store, stores.indices.contains(store) else {
      return writer.say("\(counted(stores.count, "store")). A number opens one.")
    }
    if case .unreadable(let reason) = stores[store].content {
      return writer.quote("\(stores[store].path) cannot be read: \(reason)")
    }
    guard let current else { return }
    let type = InspectedText.type(current) + (InspectedText.packing(current).map { ", " + $0 } ?? "")
    let what = ink.maskedType(current) ?? type
    let inside = current.isContainer ? ", \(current.count) inside" : ""
    writer.add("\(ink.text(path)): \(ink.sentence(what))\(inside).")
    if !current.isContainer { value(&writer) }
  }

  /// The value at the place in full, as far as a line may take it.
  private func value(_ writer: inout LinearWriter) {
    guard let current else { return writer.say("There is no value here.") }
    if let label = levels.last?.label, label.isSecret { return writer.say("This value is a secret: it is not shown.") }
    writer.add(
      "Value: \(ink.text(InspectedText.whole(current) ?? InspectedText.inline(current, limit: Ink.textLimit))).")
    if let reading = current.moment {
      writer.say("That is \(MomentText.both(reading.moment, offset: options.zoneOffset)), \(reading.unit.words).")
    }
  }

  private func row(_ index: Int, _ writer: inout LinearWriter) {
    guard store != nil else {
      let store = stores[index]
      let held: String
      if case .unreadable = store.content {
        held = "cannot be read"
      } else {
        held = InspectedValue(store).map { "\($0.count) inside" } ?? "nothing"
      }
      let said = (remarks[store.path] ?? []).map { " " + $0.sentence }.joined()
      return writer.add("\(index + 1). \(writer.path(store.path)), \(held).\(ink.words(said))")
    }
    guard let child = current?.child(at: index) else { return }
    let name = ink.label(child.label)
    if child.label.isSecret { return writer.add("\(index + 1). \(name): a secret, which is not shown.") }
    let value = child.value(limits: .row)
    let limit = LinearWriter.valueLimit
    let text = ink.name(InspectedText.inline(value, limit: limit), columns: limit)
    let type = ink.sentence(ink.maskedType(value) ?? InspectedText.rawType(value))
    writer.add("\(index + 1). \(name)\(text.hasPrefix(type) ? "" : ", " + type): \(text).")
  }

  private mutating func find(_ text: String, _ writer: inout LinearWriter) {
    var search = InspectedSearch(stores, for: text, hidden: Recipe.secretKeys, most: Self.mostLooks)
    var matches: [InspectedSearch.Match] = []
    while !search.isFinished, matches.count <= Self.mostMatches { matches += search.next() }
    guard !matches.isEmpty else { return writer.say("Nothing in the stores has that.") }
    let isCut = matches.count > Self.mostMatches || search.isCut
    writer.say(isCut ? "\(Self.mostMatches) places and more." : counted(matches.count, "place") + ".")
    for (index, match) in matches.prefix(Self.mostMatches).enumerated() {
      let value =
        match.isHidden
        ? "a secret, which is not shown"
        : ink.name(InspectedText.inline(match.value, limit: LinearWriter.valueLimit), columns: LinearWriter.valueLimit)
      writer.add("Place \(index + 1): \(ink.text(match.path.text)), \(value).")
    }
  }
}

/// What an answer means in the stores.
enum LinearStoresCommand: Sendable {
  case open(String), up, list, more, find(String), value, help(String), leave
}

extension LinearVocabulary {
  /// What can be answered in the stores.
  static let stores = LinearAnswers<LinearStoresCommand, LinearStores>([
    LinearAnswer(
      "open", "o", argument: "N or NAME", needed: true, "Opens a store, or a value in it. A number alone does too.",
      meaning: { .open($0) }),
    LinearAnswer(
      "up", "u", does: "Goes back to what this is in.", .up,
      unless: { $0.isInside ? nil : "These are the stores themselves." }),
    LinearAnswer("list", "l", does: "Reads what is here from the start.", .list),
    LinearAnswer(
      "more", "m", does: "Reads on where the list ended.", .more,
      unless: { $0.hasMore ? nil : "Everything here was read." }),
    LinearAnswer(
      "find", "f", argument: "TEXT", needed: true, "Looks for text in every key and value, packed ones too.",
      meaning: { .find($0) }),
    LinearAnswer(
      "value", "v", does: "Reads the value here in full.", .value,
      unless: { $0.isInside ? nil : "Open a store first." }),
    LinearAnswer(
      "help", "h", "?", argument: "[WORD]", "Reads the answers, or those that have to do with a word.",
      meaning: { .help($0) }),
    LinearAnswer("back", "b", "quit", "q", does: "Leaves the stores.", .leave),
  ])
}

extension Array {
  /// Itself, unless it is empty.
  fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
