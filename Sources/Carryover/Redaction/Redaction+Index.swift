extension Redaction {
  /// The learned values, for searching in text.
  func makeIndex() -> SensitiveIndex {
    var index = SensitiveIndex()
    let vocabulary = Vocabulary.words(of: FindingCode.general + vendors.flatMap(\.findings))
    for entry in peopleEntries() { index.add(entry) }
    for (number, known) in known.values.enumerated() where known.isText {
      let canonical = Array(self.known.keys[number])
      guard isSoughtInText(canonical, known, vocabulary) else { continue }
      var entry = SensitiveIndex.Entry(
        bytes: canonical, replacement: .mask(known.mask), edges: edges(canonical, known.mask.kind),
        isTelling: known.isTelling, precedence: .value)
      index.add(entry)
      entry.precedence = .otherForm
      for form in OtherForms.of(canonical, known) {
        entry.bytes = form
        index.add(entry)
      }
    }
    for key in parameters {
      guard let known = known[Array(key.utf8)] else { continue }
      for (before, after) in suites.flatMap(\.surroundings) {
        index.add(
          SensitiveIndex.Entry(
            bytes: Array("\(before)\(key)\(after)".utf8), replacement: .text("\(before)\(known.mask.text())\(after)"),
            edges: .any, isTelling: false, precedence: .place))
      }
    }
    index.sort()
    return index
  }

  /// Short texts, words and numbers occur in other texts by chance. An id is found even in a part of a name, because
  /// files and keys are named after users.
  private func edges(_ canonical: [UInt8], _ kind: Mask.Kind) -> SensitiveIndex.Edges {
    let isWord = canonical.allSatisfy(Characters.isLetter)
    let isDigits = canonical.allSatisfy(Characters.isDigit)
    guard isWord || canonical.count < 4 || Self.isNumber(canonical) else { return .any }
    switch kind {
    case .user where isDigits && canonical.count > 1, .id where isDigits && canonical.count >= 4: return .part
    case .user where isWord, .id where isWord:
      return canonical.count < 4 || names.contains(canonical) || bundleWords.contains(canonical) ? .word : .part
    default: return .word
    }
  }

  /// Short numbers and key names may occur in sentences by chance: a list's `id` of 8, and "8 keys". The id of a user is
  /// hidden whatever its length.
  private func isSoughtInText(_ canonical: [UInt8], _ known: Known, _ vocabulary: Set<[UInt8]>) -> Bool {
    guard canonical.contains(where: { Characters.isWord($0) || $0 >= 0x80 }), !vocabulary.contains(canonical)
    else {
      return false
    }
    if known.mask.kind == .id, canonical.count < 4, Self.isNumber(canonical) { return false }
    if known.mask.isStrong { return true }
    if plain.contains(canonical) && !known.isStrong { return false }
    return !names.contains(canonical) && !Self.words.contains(canonical)
      && (!Self.isNumber(canonical) || canonical.count >= 7)
  }

  private static func isNumber(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { Characters.isDigit($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E }
  }

  /// Common words that are not personal data.
  private static let words = Set(
    ["true", "false", "null", "yes", "no", "none", "a", "an", "the", "is", "in", "of"].map { Array($0.utf8) })
}

extension NameTemplate {
  /// The literal texts around each parameter in the name of a suite's file.
  fileprivate var surroundings: [(before: String, after: String)] {
    parts.indices.compactMap { index in
      guard case .parameter(let name) = parts[index], name != Self.bundleID, index > 0,
        case .text(let before) = parts[index - 1]
      else { return nil }
      if index + 1 < parts.count, case .text(let after) = parts[index + 1] { return (before, after) }
      return (before, ".")
    }
  }
}
