import Carryover
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import Foundation
import Testing

@testable import CarryoverRestore
@testable import CarryoverUserDefaults

@Suite("A suite of UserDefaults holds what is stored in it")
struct OwnDefaultsTests {
  private let suite = "carryover-own-\(UUID().uuidString)"
  private let key = "own.\(UUID().uuidString)"

  private func cleanUp() {
    UserDefaults.standard.removePersistentDomain(forName: suite)
    #if os(Linux)
      let folder = DefaultsFile.folder(ProcessInfo.processInfo.environment)
      for ending in ["plist", "plist.carryover-lock"] {
        try? FileManager.default.removeItem(atPath: "\(folder)/\(suite).\(ending)")
      }
    #endif
  }

  @Test("Registered defaults are no data of the suite")
  func registered() throws {
    defer { cleanUp() }
    let store = try DefaultsDataStore(suite: suite)
    let defaults = try #require(UserDefaults(suiteName: suite))
    defaults.register(defaults: [key: "registered"])
    #expect(defaults.string(forKey: key) == "registered")
    #expect(try store.data(for: key) == nil)
    #expect(try !store.names().contains(key))
    try store.remove(key)
    try store.set(Array("mine".utf8), for: key)
    #expect(try store.data(for: key) == Array("mine".utf8) && store.names() == [key])
    try store.remove(key)
    #expect(try store.data(for: key) == nil && store.names().isEmpty)
    #expect(defaults.string(forKey: key) == "registered")
  }

  @Test("A stored value that equals a registered default is data all the same")
  func equal() throws {
    defer { cleanUp() }
    let store = try DefaultsDataStore(suite: suite).writingText()
    UserDefaults.standard.register(defaults: [key: "same"])
    try store.set(Array("same".utf8), for: key)
    #expect(try store.data(for: key) == Array("same".utf8) && store.names() == [key])
    try store.remove(key)
    #expect(try store.data(for: key) == nil && store.names().isEmpty)
  }

  @Test("The same holds for the app's own defaults and for a suite that was opened by the app")
  func open() throws {
    defer { cleanUp() }
    let defaults = try #require(UserDefaults(suiteName: suite))
    UserDefaults.standard.register(defaults: [key: "same"])
    let standard = DefaultsDataStore(.standard, label: "UserDefaults.standard")
    for store in [DefaultsDataStore(defaults, label: suite).writingText(), standard.writingText()] {
      #expect(try store.data(for: key) == nil)
      try store.set(Array("same".utf8), for: key)
      #expect(try store.data(for: key) == Array("same".utf8))
      try store.remove(key)
      #expect(try store.data(for: key) == nil && !store.names().contains(key))
    }
  }
}
