import PropertyLists
import Testing

enum PackedValues {
  /// An archive of one object of a class with members; what they refer to follows as object 3 and on.
  static func archive(
    _ className: String, _ members: PropertyListDictionary, _ more: PropertyListValue...
  ) throws -> [UInt8] {
    var object = members
    object["$class"] = .uid(2)
    let definition: PropertyListValue = [
      "$classname": .string(className), "$classes": [.string(className), "NSObject"],
    ]
    let root: PropertyListValue = [
      "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
      "$objects": .array(["$null", .dictionary(object), definition] + more),
    ]
    return try PropertyListDocument.encode(root, as: .binary)
  }

  /// A value as the bytes of a property list.
  static func bytes(_ value: PropertyListValue, as format: PropertyListFormat = .binary) throws -> [UInt8] {
    try PropertyListDocument.encode(value, as: format)
  }
}
