// What a key and a frame cost in process, with a few fields and with many: `ReviewCost COUNT` prints a line each of
// what, size of the screen, few or many, and the median nanoseconds. A line that begins with `all-` is of a key that
// may look at every field, with the frame after it.

import Carryover
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import PropertyLists

let many = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
let rounds = 400
let clock = ContinuousClock()

func plan(_ count: Int) -> Plan {
  Plan(
    recipe: .rudderStackObjC,
    container: ContainerSummary(kind: .xcappdata, bundleID: "com.example.large", name: "Large.xcappdata"),
    target: TargetSummary(path: "AppData/Library/Preferences/com.example.large.plist", exists: false),
    now: Moment(secondsSince1970: 1_763_640_200),
    fields: (0..<count).map { index in
      Field(
        id: "key_\(index)", group: .other, sources: [SourceKey("rl_key_\(index)")], legacy: .string("value \(index)"),
        proposed: .string("value \(index)"), status: index % 10 == 3 ? .needsDecision : .ready, form: .string)
    })
}

/// A review in which every value in sight is JSON of some kilobytes, and masked.
func maskedReview(_ count: Int, _ size: Size) -> ReviewState {
  var plan = plan(count)
  for index in plan.fields.indices.prefix(100) {
    let members = (0..<150).map { "\"trait \($0)\":\"value \(index)\"" }.joined(separator: ",")
    plan.fields[index].legacy = .string("{\(members)}")
    plan.fields[index].proposed = .string("{\(members),\"id\":\(index)}")
  }
  var redaction = Redaction(recipes: Recipe.builtIn)
  redaction.learn(plan)
  return ReviewState(
    plan: redaction.findings(of: plan), size: size, options: ReviewOptions(redaction: redaction), backupLocation: "runs"
  )
}

func container(_ count: Int) throws -> Container {
  let entries = (0..<count).map {
    PropertyListDictionary.Entry(key: "key_\($0)", value: .string("value \($0)"))
  }
  let root = PropertyListValue.dictionary(PropertyListDictionary(entries: entries))
  let document = try PropertyListDocument(bytes: PropertyListDocument.encode(root, as: .binary))
  return Container(
    kind: .xcappdata, root: "Large.xcappdata", dataFolder: "AppData", bundleID: "com.example.large",
    stores: [Store(path: "AppData/Library/Preferences/com.example.large.plist", content: .document(document))],
    stateDirectory: "Large.xcappdata/.carryover")
}

/// The median time of a key, and of the frame after it.
func measure(_ what: String, _ size: Size, _ count: String, key: (Key) -> Void, frame: () -> Grid) {
  var keys: [Duration] = []
  var frames: [Duration] = []
  var cells = 0
  for round in 0..<rounds {
    let start = clock.now
    key(round % 16 < 8 ? .character("j") : .character("k"))
    let middle = clock.now
    // The size is used, so that no frame is left out.
    cells += frame().size.rows
    keys.append(start.duration(to: middle))
    frames.append(middle.duration(to: clock.now))
  }
  precondition(cells == rounds * size.rows)
  for (name, times) in [("key", keys), ("frame", frames)] {
    let median = times.sorted()[times.count / 2]
    print("\(what)-\(name) \(size.columns)x\(size.rows) \(count) \(median.components.attoseconds / 1_000_000_000)")
  }
}

/// Keys one after the other, each with the name it is printed under; the whole list is shown again after the last.
let keysOverAll: [[(name: String, key: Key)]] = [
  [("G", .character("G")), ("page-up", .pageUp), ("g", .character("g")), ("page-down", .pageDown)],
  [
    ("search", .character("/")), ("search-typed", .character("9")), ("search-typed", .character("9")),
    ("search-kept", .enter), ("n", .character("n")), ("N", .character("N")), ("search-left", .escape),
  ],
  [
    ("filter", .character("f")), ("filter-typed", .character("9")), ("filter-typed", .character("9")),
    ("filter-kept", .enter), ("filter-left", .escape),
  ],
  [("menu", .character("A")), ("all-clean", .character("c")), ("u", .character("u")), ("redo", .character("U"))],
  [
    ("v", .character("v")), ("G", .character("G")), ("space", .character(" ")), ("u", .character("u")),
    ("redo", .character("U")), ("n", .character("n")),
  ],
  [("w", .character("w")), ("w-end", .end), ("w-left", .escape)],
  [("a", .character("a")), ("a-end", .end), ("a-left", .escape)],
]

/// The median time of each of those keys, where it occurs more than once of the slowest place.
func measureOverAll(_ size: Size, _ count: String, _ plan: Plan) {
  var times: [String: [Duration]] = [:]
  var rows = 0
  for _ in 0..<5 {
    var review = ReviewState(plan: plan, size: size, backupLocation: "runs")
    for (number, keys) in keysOverAll.enumerated() {
      for (place, step) in keys.enumerated() {
        let start = clock.now
        _ = reduce(&review, .key(step.key))
        rows += render(review).grid.size.rows
        times["\(step.name) \(number) \(place)", default: []].append(start.duration(to: clock.now))
      }
    }
  }
  precondition(rows > 0)
  var slowest: [String: Duration] = [:]
  for (place, measured) in times {
    let name = String(place.prefix { $0 != " " })
    slowest[name] = max(slowest[name] ?? .zero, measured.sorted()[measured.count / 2])
  }
  for (name, time) in slowest.sorted(by: { $0.key < $1.key }) {
    print("all-\(name) \(size.columns)x\(size.rows) \(count) \(time.components.attoseconds / 1_000_000_000)")
  }
}

for (columns, rows) in [(120, 40), (200, 50)] {
  let size = Size(columns: columns, rows: rows)
  for (name, count) in [("few", 100), ("many", many)] {
    var review = ReviewState(plan: plan(count), size: size, backupLocation: "runs")
    measure("fields", size, name) {
      _ = reduce(&review, .key($0))
    } frame: {
      render(review).grid
    }
    var browser = BrowserState(try container(count), size: size, options: ReviewOptions())
    measure("keys", size, name) {
      _ = reduce(&browser, .key($0))
    } frame: {
      render(browser).grid
    }
    var masked = maskedReview(count, size)
    measure("masked", size, name) {
      _ = reduce(&masked, .key($0))
    } frame: {
      render(masked).grid
    }
    if size.columns == 120 { measureOverAll(size, name, plan(count)) }
  }
}
