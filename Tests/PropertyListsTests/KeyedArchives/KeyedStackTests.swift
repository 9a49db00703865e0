import Foundation
import PropertyLists
import Testing

@Suite("Keyed archives on small stacks")
struct KeyedStackTests {
  @Test("Depth 512 is read, compared, converted and shown on a thread with a stack of 512 KiB")
  func depth() {
    onSmallStack(Self.work)
  }

  private static func work() throws -> String {
    let arrays = MalformedKeyedArchiveTests.nested(512)
    var objects = arrays
    objects.objects = arrays.objects.map { object in
      guard case .dictionary(let members) = object, case .array(let inside)? = members["NS.objects"] else {
        return ArchiveBuilder.definition("Node")
      }
      return ["$class": members["$class"] ?? .null, "inside": inside.first ?? .uid(0)]
    }
    objects.objects[0] = "$null"
    // Every key of a dictionary is the next dictionary.
    var keys = arrays
    keys.objects = arrays.objects.map { object in
      guard case .dictionary(let members) = object, let inside = members["NS.objects"] else {
        return ArchiveBuilder.definition("NSDictionary")
      }
      return ["$class": members["$class"] ?? .null, "NS.keys": inside, "NS.objects": inside]
    }
    keys.objects[0] = "$null"
    // As values and keys alike it would unfold to 2^512; as keys alone it is as deep as it is long.
    for place in keys.objects.indices {
      guard case .dictionary(var members) = keys.objects[place], case .array(let inside)? = members["NS.objects"] else {
        continue
      }
      members["NS.objects"] = .array(inside.map { _ in .uid(0) })
      keys.objects[place] = .dictionary(members)
    }
    for builder in [arrays, objects, keys] {
      guard let value = try builder.archive().root else { return "no root" }
      guard value == (try builder.archive().root), value.hashValue == value.hashValue else { return "differs" }
      guard value.shownJSON.text().utf8.count > 1023 else { return "not shown" }
      let plain = value.propertyList()
      guard plain.value != nil || builder.objects.count == objects.objects.count else { return "not converted" }
      _ = value.json().value?.text()
    }
    return "done"
  }
}
