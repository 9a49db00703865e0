import PropertyLists
import Testing

@Suite("Damaged files")
struct MutationTests {
  private func seeds(_ format: PropertyListFormat) throws -> [[UInt8]] {
    var generator = SeededGenerator(seed: 7)
    var seeds = try (0..<12).map { _ in
      try PropertyListDocument.encode(.dictionary(generator.dictionary(pairs: 5, levels: 2)), as: format)
    }
    if format == .binary {
      seeds.append(try PropertyListDocument.encode(.array(Samples.binaryOnly), as: .binary))
      seeds.append(BinaryBuilder([[0xA2, 1, 1], [0xA2, 2, 2], [0xA2, 3, 3], [0x62, 0xD8, 0, 0, 0x41]]).bytes)
    } else {
      let text =
        "<!DOCTYPE plist><plist><dict><!-- c --><key>a&#65;</key><string><![CDATA[x]]>&amp;</string></dict></plist>"
      seeds.append(Array(text.utf8))
      seeds.append(
        [0xFF, 0xFE] + text.utf16.flatMap { (unit: UInt16) -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] })
    }
    return seeds.filter { $0.count < 6000 }
  }

  @Test("12,000 damaged files of each format give a value or an error, and what was read can be written back")
  func mutations() throws {
    for format in PropertyListFormat.allCases {
      let seeds = try seeds(format)
      #expect(seeds.count > 5)
      var generator = SeededGenerator(seed: format == .binary ? 1 : 2)
      var accepted = 0
      for round in 0..<12_000 {
        let bytes = generator.mutate(seeds[round % seeds.count])
        guard let document = try? PropertyListDocument(bytes: bytes) else { continue }
        accepted += 1
        check(document)
      }
      // Both outcomes must be common, or the test says nothing.
      #expect(accepted > 1000 && accepted < 11_000)
    }
  }

  private func check(_ document: PropertyListDocument) {
    if let bytes = try? PropertyListDocument.encode(document.root, as: document.format) {
      let again = try? PropertyListDocument(bytes: bytes)
      #expect(again?.root == document.root)
    }
    guard let dictionary = document.dictionary, let first = dictionary.keys.first else { return }
    for edits in [[PropertyListEdit.set("new", "value")], [.remove(first)], [.set(first, [1, 2])]] {
      guard let bytes = try? document.editing(edits) else { continue }
      let again = try? PropertyListDocument(bytes: bytes)
      #expect(again?.root == .dictionary(dictionary.applying(edits)))
    }
  }
}
