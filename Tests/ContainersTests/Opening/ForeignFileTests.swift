import Carryover
import CarryoverContainers
import CarryoverSystem
import Foundation
import Testing

@Suite("Files that are no container")
struct ForeignFileTests {
  let fixture: Fixture

  init() throws { fixture = try Fixture() }

  private func listingRefusal(_ relative: String) -> ContainerError.Kind? {
    do throws(ContainerError) {
      _ = try ContainerOpener(fileSystem: POSIXFileSystem()).containers(at: fixture(relative))
      return nil
    } catch {
      return error.kind
    }
  }

  @Test("Listing refuses what opening refuses, for the same reason")
  func same() throws {
    try fixture.write("random", (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 97 &+ 13) })
    try fixture.write("empty", [])
    try fixture.write("cut.plist", Array("bplist00".utf8))
    for name in ["random", "empty", "cut.plist"] {
      let refusal = fixture.refusal(name)
      #expect(refusal != nil)
      #expect(listingRefusal(name) == refusal, "\(name)")
    }
  }

  @Test("A zip file with something before it is said to be one, by opening and by listing")
  func preceded() throws {
    try Packer.pack(fixture("a.zip"), "zip(content.items())")
    let zip = try Data(contentsOf: URL(filePath: fixture("a.zip")))
    try fixture.write("b.zip", Array("#!/bin/sh\n".utf8) + zip)
    #expect(fixture.refusal("b.zip") == .precededArchive)
    #expect(listingRefusal("b.zip") == .precededArchive)
    try fixture.write("c.zip", Array("#!/bin/sh\n".utf8) + zip + [UInt8](repeating: 0, count: 70_000))
    #expect(fixture.refusal("c.zip") != .precededArchive)
    #expect(fixture.refusal("c.zip") != nil)
  }
}
