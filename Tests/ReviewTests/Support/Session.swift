@testable import Carryover
@testable import CarryoverReview

/// Screens driven by keys, as a person drives them.
protocol Driven {
  var text: String { get }
  mutating func send(_ input: ScreenInput)
}

extension Driven {
  /// Presses keys: words in angle brackets are named keys, all else is typed as it stands.
  mutating func type(_ script: String) { for key in Session.keys(script) { send(.key(key)) } }

  mutating func type(
    _ script: String, shows words: String..., sourceLocation location: SourceLocation = #_sourceLocation
  ) {
    type(script)
    for word in words { #expect(text.contains(word), "\(text)", sourceLocation: location) }
  }

  mutating func type<Value: Equatable>(
    _ script: String, then path: KeyPath<Self, Value>, is expected: Value,
    sourceLocation location: SourceLocation = #_sourceLocation
  ) {
    type(script)
    #expect(self[keyPath: path] == expected, "\(path)", sourceLocation: location)
  }
}

struct Session: Driven {
  var state: ReviewState
  var effects: [ReviewEffect] = []

  /// - Parameter atFirstRow: whether it begins on the first row, from which most scripts count, and not where a review
  ///   does.
  init(
    _ plan: Plan = acmePlan(), columns: Int = 120, rows: Int = 40, glyphs: Glyphs = .unicode,
    decisions: Decisions = [:], lastRun: RunSummary.ID? = nil, recovered: [RecoveredRun] = [],
    recoveryFailure: ReviewFailure? = nil, container: Container? = nil, redaction: Redaction? = nil,
    wrapper: ContainerWrapper? = nil, occupied: OccupiedStateFolder? = nil, keymap: Keymap = Keymap(),
    atFirstRow: Bool = true, typing script: String = ""
  ) {
    state = ReviewState(
      plan: plan, decisions: decisions, size: Size(columns: columns, rows: rows),
      options: ReviewOptions(glyphs: glyphs, zoneOffset: 7200, redaction: redaction, keymap: keymap),
      backupLocation: "/cases/4711/Acme.xcappdata/.carryover/runs", lastRun: lastRun, wrapper: wrapper,
      occupied: occupied, recovered: recovered, recoveryFailure: recoveryFailure, container: container)
    send(.resized(Size(columns: columns, rows: rows)))
    if atFirstRow, state.screen == .review { showFirstRow() }
    type(script)
  }

  mutating func send(_ action: ReviewAction) { effects += reduce(&state, action) }

  mutating func send<Value: Equatable>(
    _ action: ReviewAction, then path: KeyPath<Self, Value>, is expected: Value,
    sourceLocation location: SourceLocation = #_sourceLocation
  ) {
    send(action)
    #expect(self[keyPath: path] == expected, "\(path)", sourceLocation: location)
  }

  mutating func send(_ input: ScreenInput) { effects += reduce(&state, input) }

  private mutating func showFirstRow() {
    state.select(row: 0)
    state.refresh()
  }

  static func keys(_ script: String) -> [Key] {
    var keys: [Key] = []
    var rest = Substring(script)
    while let first = rest.first {
      if first == "<", let end = rest.firstIndex(of: ">"), let key = named[String(rest[..<end].dropFirst())] {
        keys.append(key)
        rest = rest[rest.index(after: end)...]
      } else {
        keys.append(.character(first))
        rest = rest.dropFirst()
      }
    }
    return keys
  }

  var lines: [String] { render(state).grid.lines }
  var text: String { GridText.text(of: render(state).grid) }
  var selectedRows: [String] {
    let grid = render(state).grid
    return (0..<grid.size.rows).filter { grid.cells($0).contains { $0.style.selected } }.map { grid.lines[$0] }
  }

  private static let named: [String: Key] = [
    "enter": .enter, "esc": .escape, "up": .up, "down": .down, "left": .left, "right": .right, "pgup": .pageUp,
    "pgdn": .pageDown, "home": .home, "end": .end, "bs": .backspace, "del": .delete, "tab": .tab, "s-tab": .backTab,
    "c-u": .control("u"), "c-k": .control("k"), "c-w": .control("w"), "c-r": .control("r"), "c-z": .control("z"),
    "c-n": .control("n"), "c-p": .control("p"), "c-a": .control("a"), "c-e": .control("e"),
    "c-o": .control("o"), "c-s": .control("s"), "c-t": .control("t"),
  ]
}

let acmeReport = RunReport(
  kind: .apply, runID: "20251120T120500Z-1",
  outcomes: [
    FieldOutcome(field: "anonymous_id", outcome: .migrated), FieldOutcome(field: "user_id", outcome: .migrated),
    FieldOutcome(field: "traits", outcome: .migrated), FieldOutcome(field: "session_id", outcome: .migrated),
    FieldOutcome(field: "is_manual_session", outcome: .migrated),
    FieldOutcome(field: "last_activity_time", outcome: .migrated),
    FieldOutcome(field: "rudder.app_version", outcome: .migrated),
    FieldOutcome(field: "rudder.app_build", outcome: .skipped, told: .dropped, reason: "4.2.0-rc1 is not an integer"),
  ],
  files: ["AppData/Library/Preferences/com.acme.shop.analytics.1xAcmeWriteKey.plist"], synchronizations: 14)

extension Session {
  mutating func openHistory(_ runs: [RunSummary] = sampleRuns) {
    type("H")
    send(.history(runs))
  }

  mutating func openRun(_ plan: RollbackPlan = conflictedPlan) {
    type("<enter>")
    send(.rollbackPlan(plan))
  }
}

struct Browsing: Driven {
  var state: BrowserState
  var effects: [BrowserEffect] = []

  init(
    _ container: Container = nestedContainer(), columns: Int = 120, rows: Int = 40, glyphs: Glyphs = .unicode,
    isEmbedded: Bool = false, changing: StoreChanging? = nil, typing script: String = ""
  ) {
    state = BrowserState(
      container, size: Size(columns: columns, rows: rows), options: ReviewOptions(glyphs: glyphs, zoneOffset: 7200),
      isEmbedded: isEmbedded, changing: changing)
    type(script)
  }

  mutating func send(_ action: ScreenInput) { effects += reduce(&state, action) }

  var grid: Grid { render(state).grid }
  var lines: [String] { grid.lines }
  var text: String { GridText.text(of: grid) }
  var selected: String? { lines.first { $0.contains("▸") } }
}

struct Picking: Driven {
  var state: PickerState
  var effects: [PickerEffect] = []

  init(
    _ candidates: [ContainerCandidate] = sampleCandidates, columns: Int = 120, rows: Int = 40,
    glyphs: Glyphs = .unicode, isPlanning: Bool = false, typing script: String = ""
  ) {
    state = PickerState(
      candidates, place: "/cases/4711/iPhone-backup.zip", isPlanning: isPlanning,
      size: Size(columns: columns, rows: rows),
      options: ReviewOptions(glyphs: glyphs))
    type(script)
  }

  mutating func send(_ action: ScreenInput) { effects += reduce(&state, action) }

  var lines: [String] { render(state).grid.lines }
  var text: String { GridText.text(of: render(state).grid) }
}

func container(_ stores: [Store], notices: [String] = []) -> Container {
  var container = Container(stores, kind: .xcappdata, in: "/cases/4711/Acme.xcappdata")
  container.notices = notices
  return container
}

func store(_ path: String, _ root: PropertyListValue) -> Store {
  (try? Store(path, holding: root)) ?? Store(path: path, content: .unreadable("The test's value cannot be encoded."))
}

let nestedPath = "AppData/Library/Preferences/com.acme.shop.plist"

func nestedContainer() -> Container {
  let window = (try? PropertyListDocument.encode(["frame": ["x": 1, "y": 2], "open": true], as: .binary)) ?? []
  return container(
    [
      store(
        nestedPath,
        [
          "rl_anonymous_id": "9f1c2a7e", "rl_traits": #"{"email":"ada@acme.test","plan":{"tier":"gold","since":2019}}"#,
          "rl_session_id": 1_763_640_000, "rl_auth_token": "hunter2", "windowState": .data(window),
          "basket": [["sku": "A1", "count": 2], ["sku": "B7", "count": 1]], "icon": .data(Array(0...40)),
        ]),
      Store(
        path: "AppData/Library/Preferences/broken.plist",
        content: .unreadable("broken.plist: the file ends in the middle of an object.")),
      store("AppData/Library/rsDefaultsPersistence.plist", ["rl_anonymous_id": "9f1c2a7e", "count": 3]),
    ], notices: ["Library/Caches is a link and was not followed."])
}

let sampleCandidates: [ContainerCandidate] = [
  ContainerCandidate(
    path: "com.acme.shop", kind: .folder, bundleID: "com.acme.shop", name: "Acme Shop", files: 214, missing: 3,
    groups: ["group.com.acme"]),
  ContainerCandidate(
    path: "com.acme.wallet", kind: .folder, bundleID: "com.acme.wallet", name: "Acme Wallet", files: 61),
  ContainerCandidate(path: "exports/old/Shop 4.1.xcappdata", kind: .xcappdata, bundleID: nil, name: "Shop 4.1"),
  ContainerCandidate(
    path: "group.com.acme", kind: .folder, bundleID: "group.com.acme", name: "group.com.acme", files: 4),
]
