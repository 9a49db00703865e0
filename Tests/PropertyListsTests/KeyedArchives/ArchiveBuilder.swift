import PropertyLists

struct ArchiveBuilder {
  var objects: [PropertyListValue] = ["$null"]
  var top: PropertyListDictionary = ["root": .uid(1)]
  var archiver: PropertyListValue? = "NSKeyedArchiver"
  var version: PropertyListValue? = 100_000
  var limits = PropertyListLimits.default

  /// An archive whose first object is of a class, with members; what else is given follows from object 3 on.
  static func object(_ name: String, _ members: PropertyListDictionary, _ more: PropertyListValue...) -> ArchiveBuilder
  {
    var builder = ArchiveBuilder()
    var entries = members.entries
    entries.append(.init(key: "$class", value: .uid(2)))
    builder.objects += [.dictionary(PropertyListDictionary(entries: entries)), Self.definition(name)] + more
    return builder
  }

  static func definition(_ name: String) -> PropertyListValue {
    ["$classname": .string(name), "$classes": [.string(name), "NSObject"]]
  }

  static func references(_ indexes: UInt64...) -> PropertyListValue { .array(indexes.map { .uid($0) }) }

  var value: PropertyListValue {
    var root = PropertyListDictionary()
    if let version { root["$version"] = version }
    if let archiver { root["$archiver"] = archiver }
    root["$top"] = .dictionary(top)
    root["$objects"] = .array(objects)
    return .dictionary(root)
  }

  func document(_ format: PropertyListFormat = .binary) throws -> PropertyListDocument {
    try PropertyListDocument(bytes: try PropertyListDocument.encode(value, as: format), limits: limits)
  }

  func archive(_ format: PropertyListFormat = .binary) throws -> KeyedArchive { try KeyedArchive(document(format)) }

  /// Why the archive is refused; nil when it is not.
  func error() throws -> KeyedArchiveError? {
    let document = try document()
    do throws(KeyedArchiveError) {
      _ = try KeyedArchive(document)
      return nil
    } catch {
      return error
    }
  }
}
