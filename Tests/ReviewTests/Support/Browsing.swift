import Carryover
import CarryoverContainers
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import PropertyLists
import CarryoverTestSupport

/// A browser of stores driven by keys; keeps every effect.
struct Browsing {
  var state: BrowserState
  var effects: [BrowserEffect] = []

  init(
    _ container: Container = nestedContainer(), columns: Int = 120, rows: Int = 40, glyphs: Glyphs = .unicode,
    isEmbedded: Bool = false
  ) {
    state = BrowserState(
      container, size: Size(columns: columns, rows: rows), options: ReviewOptions(glyphs: glyphs, zoneOffset: 7200),
      isEmbedded: isEmbedded)
  }

  mutating func send(_ action: ScreenInput) { effects += reduce(&state, action) }

  mutating func type(_ script: String) { for key in Session.keys(script) { send(.key(key)) } }

  var grid: Grid { render(state).grid }
  var lines: [String] { grid.lines }
  var text: String { GridText.text(of: grid) }
  var selected: String? { lines.first { $0.contains("▸") } }
}

struct Picking {
  var state: PickerState
  var effects: [PickerEffect] = []

  init(
    _ candidates: [ContainerCandidate] = sampleCandidates, columns: Int = 120, rows: Int = 40,
    glyphs: Glyphs = .unicode, isPlanning: Bool = false
  ) {
    state = PickerState(
      candidates, place: "/cases/4711/iPhone-backup.zip", isPlanning: isPlanning,
      size: Size(columns: columns, rows: rows),
      options: ReviewOptions(glyphs: glyphs))
  }

  mutating func send(_ action: ScreenInput) { effects += reduce(&state, action) }

  mutating func type(_ script: String) { for key in Session.keys(script) { send(.key(key)) } }

  var lines: [String] { render(state).grid.lines }
  var text: String { GridText.text(of: render(state).grid) }
}

func container(_ stores: [Store], notices: [String] = []) -> Container {
  Container(
    kind: .xcappdata, root: "/cases/4711/Acme.xcappdata", dataFolder: "AppData", bundleID: "com.acme.shop",
    stores: stores, stateDirectory: "/cases/4711/Acme.xcappdata/.carryover", notices: notices)
}

func store(_ path: String, _ root: PropertyListValue) -> Store {
  let bytes = (try? PropertyListDocument.encode(root, as: .binary)) ?? []
  guard let document = try? PropertyListDocument(bytes: bytes) else {
    return Store(path: path, content: .unreadable("The test's value cannot be encoded."))
  }
  return Store(path: path, content: .document(document))
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
