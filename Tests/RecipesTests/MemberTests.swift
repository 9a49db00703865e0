import Carryover
import CarryoverRecipes
import CarryoverSystem
import CarryoverVendors
import Foundation
import PropertyLists
import Testing

@Suite("A member of a dictionary as a source")
struct MemberTests {
  private static let text = """
    carryover: recipe/1
    id: acme-sdk
    version: 1
    title: Acme 1 → 2
    sources-read: [Acme's sources.]
    read:
      - suite: ${bundle-id}
      - {archive: Library/acme.archive, as: archived}
    write: {suite: "${bundle-id}.acme"}
    detect: [acme_user]
    opt-out-keys: []
    fields:
      - {key: id, form: string, from: [{key: acme_user, member: uid, steps: [number-text]}]}
      - {key: since, form: string, from: [{key: acme_user, member: since, steps: [iso8601]}]}
      - {key: archived_id, form: string, from: [{key: archived, member: uid}]}
    tests:
      - name: a dictionary
        given:
          Library/Preferences/com.example.app.plist:
            acme_user: {uid: u-1001, since: {date: "2026-01-10T08:00:00Z"}}
          Library/acme.archive: {archive: {uid: u-2002}}
        expect:
          fields:
            id: {status: ready, value: u-1001}
            since: {status: ready, value: "2026-01-10T08:00:00Z"}
            archived_id: {status: ready, value: u-2002}
    """

  private func plan(_ user: PropertyListValue) throws -> Plan {
    let recipe = try #require(RecipeFile.read(Array(Self.text.utf8), vendors: vendors).file).recipe
    // What UserDefaults itself writes.
    let bytes = try PropertyListDocument.encode(["acme_user": user], as: .binary)
    let store = Store(
      path: "Library/Preferences/com.acme.shop.plist", content: .document(try PropertyListDocument(bytes: bytes)))
    let container = Container(
      kind: .folder, root: "/box", dataFolder: "", bundleID: "com.acme.shop", stores: [store],
      stateDirectory: "/box/.carryover")
    return Planner(recipe).plan(container, now: Moment(secondsSince1970: 1_763_640_300))
  }

  @Test("the member's value keeps its type, and a missing member is no value")
  func member() throws {
    let users: [(PropertyListValue, String)] = [
      (["uid": "u-1001"], "u-1001"), (["uid": 42], "42"), (#"{"uid":"u-1001"}"#, "u-1001"),
    ]
    for (user, value) in users {
      let field = try #require(try plan(user).field("id"))
      #expect(field.status == .ready && field.proposed == .string(value), "\(user)")
    }
    let date = try plan(["uid": "u-1001", "since": .date(PropertyListDate(secondsSince2001: 0))])
    #expect(date.field("since")?.proposed == "2001-01-01T00:00:00Z")
    #expect(try plan(["other": "u-1001"]).field("id")?.status == .absent)
    #expect(try plan(["uid": [1]]).field("id")?.status == .needsDecision)
  }

  @Test("the step names the dictionary, not JSON text")
  func words() throws {
    #expect(try plan(["uid": "u-1001"]).field("id")?.steps.first?.title == "member uid of the dictionary")
    #expect(try plan(#"{"uid":"u-1001"}"#).field("id")?.steps.first?.title == "member uid of the JSON text")
  }
}
