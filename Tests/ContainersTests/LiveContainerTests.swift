import Carryover
import CarryoverContainers
import CarryoverSystem
import Testing

@Suite("Opening a live container")
struct LiveContainerTests {
  private static let device = "11111111-2222-3333-4444-555555555555"
  private static let folder =
    "CoreSimulator/Devices/\(device)/data/Containers/Data/Application/99999999-2222-3333-4444-555555555555"
  let fixture: Fixture

  init() throws { fixture = try Fixture() }

  @Test("A simulator's container is known as such in every form, and a copy of it is none")
  func simulator() throws {
    try fixture.makeDataContainer(Self.folder)
    try fixture.makePackage(Self.folder + "/Documents/Copy.xcappdata")
    try fixture.makeDataContainer("copy")
    let live = Liveness.simulator(device: Self.device)
    #expect(try fixture.open(Self.folder).liveness == live)
    #expect(try fixture.open(Self.folder + "/Library/Preferences/com.acme.shop.plist").liveness == live)
    #expect(try fixture.open(Self.folder + "/Documents/Copy.xcappdata").liveness == live)
    #expect(try fixture.open("copy").liveness == nil)
  }

  @Test("The real path counts, not the one that was given")
  func links() throws {
    try fixture.makeDataContainer(Self.folder)
    try fixture.link("short", to: fixture("CoreSimulator/Devices/\(Self.device)/data/Containers/Data/Application"))
    #expect(
      try fixture.open("short/99999999-2222-3333-4444-555555555555").liveness == .simulator(device: Self.device))
    try fixture.makeDataContainer("copies/99999999-2222-3333-4444-555555555555")
    try fixture.makeFolder("CoreSimulator/Devices/\(Self.device)/data/Containers/Shared")
    try fixture.link("CoreSimulator/Devices/\(Self.device)/data/Containers/Shared/AppGroup", to: fixture("copies"))
    let shared = "CoreSimulator/Devices/\(Self.device)/data/Containers/Shared/AppGroup/"
    #expect(try fixture.open(shared + "99999999-2222-3333-4444-555555555555").liveness == nil)
  }

  @Test("A Mac's own library is known by the home that was passed in, through links too")
  func home() throws {
    try fixture.makeDataContainer("ada")
    try fixture.makeDataContainer("ada/Library/Containers/com.acme.shop/Data")
    try fixture.makeDataContainer("ada/Desktop/copy")
    try fixture.write("ada/com.acme.shop.plist", plist: ["theme": "dark"])
    try fixture.link("me", to: fixture("ada"))
    let live = Liveness.home(fixture("ada"))
    for home in ["ada", "me", "me/", "./ada"] {
      let options = ContainerOptions(home: fixture(home))
      #expect(try fixture.open("ada", options).liveness == live)
      #expect(try fixture.open("ada/Library/Preferences/com.acme.shop.plist", options).liveness == live)
      #expect(try fixture.open("ada/Library/Containers/com.acme.shop/Data", options).liveness == live)
      #expect(try fixture.open("ada/Desktop/copy", options).liveness == nil)
      #expect(try fixture.open("ada/com.acme.shop.plist", options).liveness == nil)
    }
    #expect(try fixture.open("ada").liveness == nil)
    #expect(try fixture.open("ada", ContainerOptions(home: fixture("missing"))).liveness == nil)
  }
}
