import Carryover
import CarryoverContainers
import CarryoverSystem
import CarryoverVendors
import Foundation
import PropertyLists
import Testing

@Suite("App groups and JSON")
struct GroupTests {
  private let fixture: Fixture

  init() throws { fixture = try Fixture() }

  @Test(
    "The stores of app groups beside Library are the container's, by the group's name", arguments: ["", "AppData/"])
  func groups(data: String) throws {
    if data.isEmpty { try fixture.makeDataContainer("x") } else { try fixture.makePackage("x") }
    let group = "x/\(data)AppGroups/group.com.acme"
    try fixture.write(group + "/Library/Preferences/group.com.acme.plist", plist: ["rl_anonymous_id": "b"])
    try fixture.write(group + "/state.json", "{}".utf8)
    try fixture.write(group + "/Library/Application Support/sdk/queue.json", "[1]".utf8)
    try fixture.write("x/\(data)Shared/AppGroup/1/Library/shared.plist", plist: [:])
    let container = try fixture.open("x")
    let paths = container.stores.map(\.path).filter { $0.contains("Group") }
    #expect(
      paths == [
        "\(data)AppGroups/group.com.acme/Library/Application Support/sdk/queue.json",
        "\(data)AppGroups/group.com.acme/Library/Preferences/group.com.acme.plist",
        "\(data)AppGroups/group.com.acme/state.json", "\(data)Shared/AppGroup/1/Library/shared.plist",
      ])
    #expect(container.bundleID == "com.acme.shop")
    #expect(container.notices.isEmpty)
  }

  @Test("A group that is a link, or has one for a folder, is not followed and is noted")
  func links() throws {
    try fixture.makeDataContainer("x")
    try fixture.write("y/Library/Preferences/a.plist", plist: [:])
    try fixture.link("x/AppGroups/linked", to: fixture("y"))
    try fixture.link("x/AppGroups/group/Library", to: fixture("y/Library"))
    let container = try fixture.open("x")
    #expect(container.stores.allSatisfy { !$0.path.contains("AppGroups") })
    #expect(container.notices.count == 1)
    #expect(container.notices.first?.contains("AppGroups/group/Library") == true)
  }

  @Test("An app group's folder by itself is a container")
  func groupAlone() throws {
    try fixture.write(
      "g/.com.apple.mobile_container_manager.metadata.plist", plist: ["MCMMetadataIdentifier": "group.com.acme"])
    try fixture.write("g/Library/Preferences/group.com.acme.plist", plist: ["a": 1])
    let container = try fixture.open("g")
    #expect(container.kind == .folder)
    #expect(container.bundleID == "group.com.acme")
    #expect(container.stores.count == 1)
  }

  @Test("JSON under Application Support is a store; what is wrong in it is said, with the place")
  func json() throws {
    try fixture.makeDataContainer("x")
    let support = "x/Library/Application Support/"
    try fixture.write(support + "a.json", "{\"a\": [1, 2]}".utf8)
    try fixture.write(support + "sdk/B.JSON", "true".utf8)
    try fixture.write(support + "bad.json", "{\"a\": \n ]".utf8)
    try fixture.write(support + "big.json", Array(repeating: UInt8(ascii: " "), count: 600))
    try fixture.write(support + "deep/er/c.json", "{}".utf8)
    try fixture.write(support + "._a.json", "{}".utf8)
    try fixture.write(support + "text", "{}".utf8)
    try fixture.link(support + "link.json", to: "a.json")
    let container = try fixture.open("x", ContainerOptions(limits: ContainerLimits(fileBytes: 512)))
    let names = container.stores.filter { $0.path.contains("Support") }.map(\.name)
    #expect(names == ["a.json", "bad.json", "big.json", "c.json", "link.json", "B.JSON", "text"])
    guard case .json(let text)? = container.store("Library/Application Support/a.json")?.content else {
      Issue.record("not read as JSON")
      return
    }
    #expect(text.text == "{\"a\": [1, 2]}")
    #expect(container.store("Library/Application Support/sdk/B.JSON")?.isJSON == true)
    #expect(container.reason("Library/Application Support/bad.json")?.contains("line 2") == true)
    #expect(container.reason("Library/Application Support/big.json")?.contains("larger than 512 bytes") == true)
    #expect(container.reason("Library/Application Support/link.json")?.contains("symbolic link") == true)
  }

  @Test(
    "A file that recipes only name is a sign, whatever its content is, and is not read", arguments: ["", "AppData/"])
  func signs(data: String) throws {
    if data.isEmpty { try fixture.makeDataContainer("x") } else { try fixture.makePackage("x") }
    for name in ["a_queue.db", "b_queue.db/x", "other.db"] {
      try fixture.write("x/\(data)Library/Application Support/acme/\(name)", "x".utf8)
    }
    var options = ContainerOptions()
    options.files = [StoreFile(["Library/Application Support/acme/", .parameter("shop"), "_queue.db"], isSign: true)]
    let container = try fixture.open("x", options)
    let folder = "\(data)Library/Application Support/acme/"
    #expect(container.signs == [folder + "a_queue.db", folder + "b_queue.db"])
    #expect(!container.stores.contains { $0.path.contains("queue") } && container.notices.isEmpty)
  }

  @Test("Neither groups nor JSON change the plan, which rests on the app's own stores")
  func samePlan() throws {
    try fixture.makePackage("x")
    let moment = Moment(secondsSince1970: 1_763_640_300)
    let options = PlannerOptions(writeKey: "key")
    let before = Planner(.rudderStackObjC).plan(try fixture.open("x"), now: moment, options: options)
    try fixture.write("x/AppData/AppGroups/g/Library/Preferences/com.acme.shop.plist", plist: ["rl_anonymous_id": "b"])
    try fixture.write("x/AppData/AppGroups/g/Library/Preferences/broken.plist", "bplist00".utf8)
    try fixture.write("x/AppData/Library/Application Support/bad.json", "{".utf8)
    let after = Planner(.rudderStackObjC).plan(try fixture.open("x"), now: moment, options: options)
    #expect(after.fields == before.fields)
    #expect(after.containerFindings == before.containerFindings)
  }
}
