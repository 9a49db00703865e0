import PropertyLists
import Testing

@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

@Suite("The files a run may touch")
struct RunScopeTests {
  @Test("are the stores of a container, and nothing else below its root")
  func folders() {
    let scope = RunScope(
      Container(
        kind: .xcappdata, root: "/box", dataFolder: "AppData", bundleID: "com.acme.shop",
        stores: [Store(path: "AppData/Documents/state.db", content: .unreadable("It is damaged."))],
        stateDirectory: "/box/.carryover"))
    for path in [
      "AppData/Library/Preferences/com.acme.shop.plist", "AppData/Library/Preferences/x.analytics.K.plist",
      "AppData/Library/rsDefaultsPersistence.plist", "AppData/Library/Caches/rsDefaultsPersistence.plist",
      "AppData/Library/Application Support/a/b.plist", "AppData/Documents/state.db",
      "AppData/Library/Application Support/a/b", "AppData/Library/Caches/acme-data",
    ] {
      #expect(scope.allows(path), "\(path)")
    }
    for path in [
      "", "/etc/passwd", "..", "AppData/../x.plist", "AppData/Library/Preferences", "x.plist",
      "Library/Preferences/x.plist", "AppData/Library/Preferences/.x.plist", "AppData/Library/Preferences/a/x.plist",
      "AppData/Library/Preferences/x.sh", "AppData/Library/LaunchAgents/x.plist", "AppData/Documents/x.plist",
      ".ssh/authorized_keys", "AppData/.carryover/x.plist", ".carryover/journal.json", "AppDataX/Library/x.plist",
      "AppData/Library/Application Support/.a/b.plist", "AppData/Library/x.plist\0",
      "AppData/Library/Caches/x.sh", "AppData/Library/Caches/.x", "AppData/Library/Caches/a/x", "AppData/Library/x",
      "AppData/Library/Preferences/x", "AppData/Library/Application Support/x", "AppData/Library/Caches",
    ] {
      #expect(!scope.allows(path), "\(path)")
    }
  }

  @Test("are a bare property list and the files beside it that belong to its app by their names")
  func bare() {
    func scope(_ bundleID: String?) -> RunScope {
      var container = Container(
        kind: .propertyList, root: "/home/me", name: "prefs", dataFolder: "", bundleID: bundleID, stores: [],
        stateDirectory: "/home/me/.carryover")
      container.companions = ["rsDefaultsPersistence.plist"]
      container.companionSuites = [.analytics]
      return RunScope(container)
    }
    for (path, known, unknown) in [
      ("prefs", true, true), ("rsDefaultsPersistence.plist", true, true), ("com.acme.shop.plist", true, false),
      ("com.acme.shop.analytics.KEY.plist", true, true), ("com.other.analytics.KEY.plist", false, true),
      ("other.plist", false, false), (".bashrc", false, false), (".x.analytics.KEY.plist", false, false),
      (".config/autostart/x.desktop", false, false), ("Library/x.plist", false, false),
      ("Library/Preferences/com.acme.shop.plist", false, false),
    ] {
      #expect(scope("com.acme.shop").allows(path) == known, "\(path)")
      #expect(scope(nil).allows(path) == unknown, "\(path)")
    }
  }
}
