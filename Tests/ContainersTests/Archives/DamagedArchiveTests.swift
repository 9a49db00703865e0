import Carryover
import CarryoverSystem
import Foundation
import Testing

@testable import CarryoverContainers

@Suite("Damaged archives")
struct DamagedArchiveTests {
  let fixture: Fixture

  init() throws { fixture = try Fixture() }

  private static let scripts = [
    "zip([(n, d[:4000]) for n, d in content.items()] + [(link('l'), b'AppData')])",
    "tar('w:gz', [(n, d[:4000]) for n, d in content.items()] + [info('l', 0, tarfile.SYMTYPE, 'AppData')])",
    "tar('w', [(n, d[:4000]) for n, d in content.items()] + [info('l', 0, tarfile.LNKTYPE, 'AppDataInfo.plist')])",
  ]

  private static let limits = ArchiveLimits(
    entries: 50, nameBytes: 10_000, fileBytes: 1 << 20, totalBytes: 4 << 20, keptFileBytes: 1 << 16, keptBytes: 1 << 17)

  @Test(
    "Cut off anywhere, or with any byte changed, an archive is read within the limits or refused", arguments: scripts)
  func damage(script: String) throws {
    try Packer.pack(fixture("a"), script)
    let whole = [UInt8](try Data(contentsOf: URL(filePath: fixture("a"))))
    #expect(isReadOrRefused(whole) == true)
    for length in stride(from: 0, to: whole.count, by: 97) { _ = isReadOrRefused(Array(whole[..<length])) }
    var generator = Numbers(state: 20_261_121)
    for _ in 0..<500 {
      var bytes = whole
      bytes[Int(generator.next() % UInt64(bytes.count))] ^= UInt8(truncatingIfNeeded: generator.next() | 1)
      _ = isReadOrRefused(bytes)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.path).sorted() == ["a", "b"])
  }

  @Test("A zip or tar archive without its end is never taken for a whole one", arguments: scripts)
  func truncation(script: String) throws {
    try Packer.pack(fixture("a"), script)
    let whole = [UInt8](try Data(contentsOf: URL(filePath: fixture("a"))))
    // A tar archive is padded after its end, and gzip ends with a sum.
    for length in stride(from: 0, to: whole.count - 8 - 10_240, by: 97) {
      #expect(!isReadOrRefused(Array(whole[..<length])), "\(length) of \(whole.count) bytes")
    }
  }

  @Test("The library's words are kept without the line ends after them")
  func words() {
    #expect(OpenArchive.refusal("Bad sum\r\n\n") == .damaged("Bad sum"))
    #expect(OpenArchive.refusal("Two\nlines") == .damaged("Two\nlines"))
    #expect(OpenArchive.refusal("\n") == .damaged(""))
    #expect(OpenArchive.refusal("Truncated input\n") == .truncated)
  }

  /// Whether some bytes are read as an archive. What was read is checked against the limits.
  private func isReadOrRefused(_ bytes: [UInt8]) -> Bool {
    do {
      try Data(bytes).write(to: URL(filePath: fixture("b")))
      let tree = try ArchiveReader.tree(ofArchiveAt: fixture("b"), limits: Self.limits)
      let paths = tree.entries.map(\.path)
      #expect(paths.count <= 50)
      #expect(paths.reduce(0) { $0 + (tree.bytes($1)?.count ?? 0) } <= 1 << 17)
      #expect(!paths.contains { ("/" + $0 + "/").contains("/../") })
      try ArchiveReader.stream(archiveAt: fixture("b"), limits: Self.limits, selecting: { _ in true }) { _ in }
      return true
    } catch {
      #expect(error is ContainerError)
      return false
    }
  }
}

private struct Numbers {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
  }
}
