import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverStorage
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

/// What changes in stores, a line for each change: text, or `carryover.watch/1`.
struct WatchOutput {
  private let isOfFolder: Bool
  private let options: StoreComparison.Options
  /// Nil for JSON.
  private let paper: Paper?
  private let masking: Masking
  private var output = PieceOutput()

  init(isOfFolder: Bool, comparing options: StoreComparison.Options, on paper: Paper?, _ masking: Masking) {
    (self.isOfFolder, self.options, self.paper, self.masking) = (isOfFolder, options, paper, masking)
  }

  /// An event, with what only some kinds have.
  private struct Line {
    var event: String
    var sign: String
    var container: String
    var path: InspectedPath?
    var change: ValueDifference.Change?
    var difference: ValueDifference?
    var words: String?
    /// Whether the value is a row of a database's table.
    var isRow = false
  }

  mutating func write(_ news: ContainerWatch.News, at moment: Moment) throws {
    var line = Line(event: "", sign: "!", container: news.container)
    switch news.kind {
    case .changed(let before, let after): try write(before, after, in: news.container, at: moment)
    case .unreadable(let path, let reason):
      (line.event, line.path, line.words) = ("unreadable", InspectedPath(store: path), reason)
      try write(line, at: moment)
    case .appeared(let container):
      masking.learn(container)
      let stores = ValueWording.counted(container.stores.count, "store")
      (line.event, line.sign) = ("appeared", "+")
      line.words = "\(container.bundleID ?? "unknown app"), \(stores)"
      try write(line, at: moment)
    case .vanished(let reason):
      (line.event, line.sign, line.words) = ("vanished", "-", reason)
      try write(line, at: moment)
    }
    try output.finish()
  }

  private mutating func write(_ before: Container, _ after: Container, in container: String, at moment: Moment) throws {
    masking.learn(after)
    let comparison = StoreComparison(masking.namingRows(of: before), masking.namingRows(of: after), options)
    for store in comparison.stores where store.isListed {
      var line = Line(event: "change", sign: "~", container: container)
      line.change = store.change
      line.sign = store.change.sign
      line.path = InspectedPath(store: store.path)
      if store.keys.isEmpty || store.change == .added || store.change == .removed {
        let root = (store.after ?? store.before).flatMap { InspectedValue($0) }
        line.words = store.note.isEmpty ? root?.contentWords : String(store.note.dropFirst(2))
        try write(line, at: moment)
      }
      // The keys of a removed store add nothing.
      guard store.change != .removed else { continue }
      line.words = nil
      let hasTables = (store.after ?? store.before)?.tables != nil
      for (path, difference) in store.values(where: \.isSecret) {
        (line.path, line.change, line.sign) = (path, difference.change, difference.change.sign)
        line.difference = difference
        line.isRow = hasTables && path.labels.count == 2
        try write(line, at: moment)
      }
    }
    for obstacle in comparison.obstacles {
      var line = Line(event: "unreadable", sign: "!", container: container)
      (line.path, line.words) = (InspectedPath(store: obstacle.path), obstacle.reason)
      try write(line, at: moment)
    }
  }

  private mutating func write(_ line: Line, at moment: Moment) throws {
    guard let paper else { return try output.print(json(line, at: moment).text(visible: true)) }
    let page = paper.page(masking)
    let offset = Console.secondsFromUTC(at: moment)
    let time = MomentText.seconds(moment, offset: offset).split(separator: " ").last.map(String.init) ?? ""
    var place = line.path.map { page.ink.sentence($0.text) } ?? ""
    if !line.container.isEmpty {
      place = page.ink.sentence(line.container) + (place.isEmpty ? "" : "/" + place)
    }
    let values = line.difference.map { difference in
      line.isRow && !difference.isSecret
        ? [difference.before, difference.after].compactMap { $0.map { [Span(columns(of: $0, page.ink))] } }
        : sides(of: difference, page.ink)
    }
    let words = line.words.map { [[Span(page.ink.sentence($0))]] } ?? []
    let value = (values ?? words).joined(separator: [Span(page.ink.words(" → "))])
    try output.print(
      paper.text(
        [
          Span(time + "  ", .muted), Span(line.sign + " ", line.change?.role ?? .plain), Span(place, .label),
          Span("  "),
        ] + value))
  }

  private func sides(of difference: ValueDifference, _ ink: Ink) -> [[Span]] {
    let values = ComparedValues(difference, isMasked: masking.isOn)
    return [values.before, values.after].filter { !$0.isEmpty }
      .map { $0.map { ink.span($0, columns: Self.longest) } }
  }

  /// A row of a table, on one line, escaped and masked.
  private func columns(of child: InspectedChild, _ ink: Ink) -> String {
    let text = InspectedText.columns(of: child.value, limit: Self.longest) {
      masking.inline($0, limit: Self.longest)
    }
    return DisplayText.visible(masking.text(text), ascii: ink.glyphs == .ascii)
  }

  /// In columns; JSON contains every value in full.
  private static let longest = 400

  private func json(_ line: Line, at moment: Moment) -> JSONValue {
    let place = line.path.flatMap { $0.labels.isEmpty ? nil : $0 }
    func value(_ child: InspectedChild?) -> JSONValue? {
      child.map { Self.json($0, isSecret: line.difference?.isSecret ?? false) }
    }
    let json = JSONValue.object(present: [
      "schema": "carryover.watch/1", "redacted": masking.isOn ? true : nil, "moment": moment, "event": line.event,
      "container": isOfFolder || !line.container.isEmpty ? line.container : nil, "store": line.path?.store,
      "path": place, "text": place?.text, "change": line.change, "before": value(line.difference?.before),
      "after": value(line.difference?.after),
      "sentence": line.path == nil || line.event == "unreadable" ? line.words : nil,
    ])
    return .object((json.members ?? []).map { masking.member($0) })
  }

  private static func json(_ child: InspectedChild, isSecret: Bool) -> JSONValue {
    var opened = OpenedJSON(most: 1_000_000)
    return opened.json(child, isSecret: isSecret)
  }
}
