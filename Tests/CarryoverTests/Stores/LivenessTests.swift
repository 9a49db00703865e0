import Carryover
import CarryoverStorage
import CarryoverSystem
import Testing

@Suite("Telling a live container by its path")
struct LivenessTests {
  private static let device = "11111111-2222-3333-4444-555555555555"
  private static let app = "AAAAAAAA-bbbb-CCCC-dddd-EEEEEEEEEEEE"
  private static let data = "CoreSimulator/Devices/\(device)/data/Containers"

  @Test(
    "A simulator's container is, wherever its set of devices lies",
    arguments: [
      "/Users/ada/Library/Developer/\(data)/Data/Application/\(app)", "/\(data)/Data/Application/\(app)",
      "/\(data)/Shared/AppGroup/\(app)", "/\(data)/Data/Application/\(app)/Library/Preferences",
      "/Volumes/Work/\(data)/Data/Application/\(app)/Copy.xcappdata/AppData",
    ])
  func simulator(path: String) { #expect(Liveness(ofDataAt: path) == .simulator(device: Self.device)) }

  @Test("A backup that keeps all of the components counts as live, and so does another spelling of them")
  func inDoubt() {
    let path = "/Volumes/Backups/2025-11-20/Users/ada/Library/Developer/\(Self.data)/Data/Application/\(Self.app)"
    #expect(Liveness(ofDataAt: path) == .simulator(device: Self.device))
    let device = "aaaaaaaa-BBBB-cccc-DDDD-eeeeeeeeeeee"
    let other = "/x/coresimulator/DEVICES/\(device)/Data/containers/data/application/\(Self.app)"
    #expect(Liveness(ofDataAt: other) == .simulator(device: device))
    #expect(Liveness(ofDataAt: "/users/ada/library/preferences") == .home("/users/ada"))
  }

  @Test("Of two devices in one path the inner one counts")
  func nested() {
    let outer =
      "/CoreSimulator/Devices/00000000-0000-0000-0000-000000000000/data/Containers/Data/Application/\(Self.app)"
    let path = "\(outer)/tmp/\(Self.data)/Data/Application/\(Self.app)"
    #expect(Liveness(ofDataAt: path) == .simulator(device: Self.device))
  }

  @Test(
    "What was copied out, or only looks like a simulator's container, is not",
    arguments: [
      "", "/", "/cases/4711/\(app)", "/cases/\(device)/data/Containers/Data/Application/\(app)",
      "/\(data)/Data/Application", "/\(data)/Data/Application/com.acme.shop", "/\(data)/Bundle/Application/\(app)",
      "/\(data)/Shared/Application/\(app)", "/CoreSimulator/Devices/\(device)/Containers/Data/Application/\(app)",
      "/CoreSimulator/Devices/device/data/Containers/Data/Application/\(app)",
      "/CoreSimulator/Devices/11111111-2222-3333-4444-55555555555g/data/Containers/Data/Application/\(app)",
      "/CoreSimulator/Devices/111111112222-3333-4444-5555-55555555/data/Containers/Data/Application/\(app)",
      "/CoreSimulator.old/Devices/\(device)/data/Containers/Data/Application/\(app)",
      "/Devices/CoreSimulator/\(device)/data/Containers/Data/Application/\(app)",
      "\(data)/Data/Application/\(app)",
    ])
  func lookalikes(path: String) { #expect(Liveness(ofDataAt: path) == nil) }

  @Test(
    "An app's data in a Mac's own library is",
    arguments: [
      "", "/Library/Preferences", "/Library/Preferences/ByHost", "/Library/Containers/com.acme.shop/Data",
      "/Library/Containers/com.acme.shop/Data/Library/Preferences",
    ])
  func library(below: String) {
    #expect(Liveness(ofDataAt: "/Users/ada" + below) == .home("/Users/ada"))
    #expect(Liveness(ofDataAt: "/srv/homes/ada" + below, home: "/srv/homes/ada/") == .home("/srv/homes/ada"))
    #expect(Liveness(ofDataAt: "/srv/homes/ada" + below, home: "/srv/homes/bob") == nil)
    #expect(Liveness(ofDataAt: "/srv/homes/ada" + below) == nil)
    #expect(Liveness(ofDataAt: "/Volumes/Backup/Users/ada" + below, home: "/Users/ada") == nil)
  }

  @Test(
    "Anything else in a home folder is not",
    arguments: [
      "/Desktop/Library/Preferences", "/Downloads/AcmeShop.xcappdata/AppData", "/Library", "/Library/Containers",
      "/Library/Containers/com.acme.shop", "/Library/Containers/Data", "/Library/Caches", "/Library/Preferences.old",
      "/cases/Library/Containers/com.acme.shop/Data",
    ])
  func elsewhereAtHome(below: String) {
    #expect(Liveness(ofDataAt: "/Users/ada" + below, home: "/Users/ada") == nil)
    #expect(Liveness(ofDataAt: "/srv/ada" + below, home: "/srv/ada") == nil)
  }

  @Test("A home that is no place of its own makes nothing live", arguments: ["", "/", "//", "Users/ada", "."])
  func noHome(home: String) {
    #expect(Liveness(ofDataAt: "/cases/Library/Preferences", home: home) == nil)
    #expect(Liveness(ofDataAt: "/Library/Preferences", home: home) == nil)
  }

  @Test("Marks that combine with a slash, and paths without end, are only paths")
  func hostile() {
    #expect(Liveness(ofDataAt: "/Users/ada/\u{301}Library/Preferences") == nil)
    let long = String(repeating: "/CoreSimulator/Devices", count: 20_000)
    #expect(Liveness(ofDataAt: long + "/\(Self.device)/data/Containers/Data/Application/\(Self.app)") != nil)
    #expect(Liveness(ofDataAt: long) == nil)
  }
}
