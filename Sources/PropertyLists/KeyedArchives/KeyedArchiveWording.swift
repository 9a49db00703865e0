/// The messages about keyed archives.
enum KeyedArchiveWording {
  static func sentence(for error: KeyedArchiveError) -> String {
    guard let object = error.object else { return text(error.kind) + "." }
    return text(error.kind) + " (object \(object))."
  }

  static func sentence(for item: KeyedLeftOut) -> String {
    let place = item.path.isEmpty ? "The archive's value" : path(item.path)
    return place + " " + text(item.reason) + "."
  }

  /// The path as text, such as `address.lines[2]`. Callers that show names must escape them.
  static func path(_ steps: [KeyedLeftOut.Step]) -> String {
    var text = ""
    for step in steps {
      switch step {
      case .index(let index): text += "[\(index)]"
      case .name(let name): text += (text.isEmpty ? "" : ".") + name
      }
    }
    return text
  }

  private static func text(_ kind: KeyedArchiveError.Kind) -> String {
    switch kind {
    case .notKeyedArchive: "The property list is not a keyed archive: it lacks $archiver, $objects or $top"
    case .versionUnsupported(let version): "The keyed archive has the unsupported version \(version)"
    case .memberMissing(let name): "The member “\(name)” is missing"
    case .memberTwice(let name): "The member “\(name)” occurs more than once, and readers differ in which they take"
    case .wrongKind(let member, let expected, let found):
      "The member “\(member)” is or contains \(article(found)) where \(expected.map(article).joined(separator: " or ")) "
        + "is needed"
    case .referenceOutside(let reference, let count):
      "A reference leads to object \(reference), but there are only \(count)"
    case .notAnObject(let kind): "A reference leads to \(article(kind)), which is not an object of an archive"
    case .classMissing: "A reference leads to an object without a class"
    case .notAClass(let index): "Object \(index) is named as a class, but is not one"
    case .countsDiffer(let keys, let values): "A dictionary has \(keys) keys and \(values) values"
    case .uuidLength(let count): "A UUID has \(count) bytes instead of 16"
    case .textNotUTF8: "The bytes of a string are not valid UTF-8"
    case .tooDeep(let limit): "Objects nest deeper than \(limit) levels"
    case .tooManyValues(let limit): "The archive unfolds to more than \(limit) values"
    case .tooMuchContent(let limit): "Shared strings and data unfold to more than \(limit) bytes"
    }
  }

  private static func text(_ reason: KeyedLeftOut.Reason) -> String {
    switch reason {
    case .foreignClass(let name): "is of the class “\(name)”, which is not a property-list class, and was skipped"
    case .cycle(let object): "contains itself (object \(object)) and was skipped there"
    case .keyNotString(let kind): "has \(article(kind)) as its key instead of a string and was skipped"
    case .relativeURL: "is a URL relative to another one and was skipped"
    case .notFinite: "is a number or date that JSON cannot express and was skipped"
    }
  }

  private static func article(_ kind: KeyedValue.Kind) -> String {
    switch kind {
    case .integer, .array, .object: "an \(kind.rawValue)"
    case .orderedSet: "an ordered set"
    case .url: "a URL"
    case .uuid: "a UUID"
    case .data, .null: kind.rawValue
    case .cycle: "an object that contains itself"
    case .string, .real, .boolean, .date, .set, .dictionary, .reference: "a \(kind.rawValue)"
    }
  }
}
