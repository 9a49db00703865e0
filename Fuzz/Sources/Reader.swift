import PropertyLists

/// A reader of untrusted bytes. The raw value names its folder of small inputs in `Fuzz/Corpora`; libFuzzer makes its own
/// from them in seconds. A new reader also needs a check of its guarantees.
enum Reader: String, CaseIterable {
  case binary, xml, json
  case keyedArchive = "keyed-archive"
  case journal, record, plan, review, manifest, archive, recipe

  /// Reads bytes and stops the process where what was read breaks a promise.
  /// - Returns: whether the bytes are of the reader's kind, so that they may be kept and changed on.
  var check: @Sendable ([UInt8]) -> Bool {
    switch self {
    case .binary: { PropertyListCheck.check($0, as: .binary) }
    case .xml: { PropertyListCheck.check($0, as: .xml) }
    case .json: JSONCheck.check
    case .keyedArchive: KeyedArchiveCheck.check
    case .journal: StateCheck.journal
    case .record: StateCheck.record
    case .plan: SavedCheck.plan
    case .review: SavedCheck.review
    case .manifest: ManifestCheck.check
    case .archive: ArchiveCheck.check
    case .recipe: RecipeCheck.check
    }
  }
}

/// Stops the process, which the fuzzer takes as a find.
func require(_ condition: Bool, _ what: @autoclosure () -> String) {
  if !condition { fatalError("broken: \(what())") }
}

/// A path must not lead out of its root, by its bytes, and judged without the product's own judgement.
func requireInside(_ path: String) {
  let parts = Array(path.utf8).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  let isInside = parts.allSatisfy { part in
    !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8) && !part.contains(0)
  }
  require(isInside, "a path that leads out: \(path)")
}

/// A value that must be there.
func require<Value>(_ what: String, _ body: () throws -> Value) -> Value {
  do {
    return try body()
  } catch {
    fatalError("broken: \(what): \(error)")
  }
}
