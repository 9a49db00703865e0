import Carryover
import CarryoverRestore
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import CarryoverUserDefaults
import CarryoverVendors
import Foundation
import Testing

@Suite("Convert's names")
struct ConvertNamesTests {
  @Test("the keychain's service and account, and the mirror's key, are those of the SDK (C2)")
  func names() {
    #expect(ConvertNames.keychainService == "com.convert.sdk")
    #expect(ConvertNames.visitorAccount == "com.convert.sdk.visitorId")
    #expect(ConvertNames.visitorMirror == "com.convert.sdk.visitorIdMirror")
  }

  @Test("the mirror in UserDefaults is a string, as the SDK reads it (C2)")
  func mirror() throws {
    let suite = "carryover-tests-\(UUID().uuidString)"
    defer { TestSuite.remove(suite) }
    let store = try DefaultsDataStore(suite: suite)
    let lookup = IdentityLookup.convert(keychain: MemoryDataStore(), mirror: store.writingText()) { "FRESH" }
    #expect(lookup.resolve().filled == [0, 1])
    #expect(UserDefaults(suiteName: suite)?.object(forKey: ConvertNames.visitorMirror) as? String == "FRESH")
    #expect(lookup.resolve().id == "FRESH")
  }

  @Test(
    "a configuration's file is named by its key, in which a slash alone is replaced (C5)",
    arguments: [
      ("abc-1.2_X", "config-abc-1.2_X.json"), ("10022898/10025986", "config-10022898_10025986.json"),
      ("../../etc", "config-.._.._etc.json"), ("é", "config-é.json"), ("a b:c", "config-a b:c.json"),
      ("", "config-.json"),
    ])
  func configuration(_ key: String, _ file: String) {
    #expect(ConvertNames.configuration(sdkKey: key) == file)
  }

  @Test("keys that share a file are told, and only they (C5)")
  func sharing() {
    let name = ConvertNames.configuration
    #expect(name("1/2") == name("1_2") && ConvertNames.configurationIsAmbiguous(name("1/2")))
    for key in ["1-2.x", "é", "a b"] { #expect(!ConvertNames.configurationIsAmbiguous(name(key))) }
  }
}
