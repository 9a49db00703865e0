/// How the members of an object make its value: by its class, or by being written in place.
enum KeyedForm {
  case string, data, number, date, null, array, set, orderedSet, dictionary, url, uuid
  /// Any other class.
  case opaque
  /// A container written in place, where a reference could be.
  case inPlaceArray, inPlaceSet, inPlaceDictionary

  /// By the exact name: a class derived from one of these may keep its members in other ways.
  init(className: String) {
    switch className {
    case "NSString", "NSMutableString": self = .string
    case "NSData", "NSMutableData": self = .data
    case "NSNumber": self = .number
    case "NSDate": self = .date
    case "NSNull": self = .null
    case "NSArray", "NSMutableArray": self = .array
    case "NSSet", "NSMutableSet": self = .set
    case "NSOrderedSet", "NSMutableOrderedSet": self = .orderedSet
    case "NSDictionary", "NSMutableDictionary": self = .dictionary
    case "NSURL": self = .url
    case "NSUUID": self = .uuid
    default: self = .opaque
    }
  }

  /// The names under which a class of a single member may have it.
  var singleMember: [String] {
    switch self {
    case .string: ["NS.string", "NS.bytes"]
    case .data: ["NS.data", "NS.bytes"]
    case .number: ["NS.number", "NS.boolval", "NS.intval", "NS.dblval"]
    case .date: ["NS.time"]
    case .uuid: ["NS.uuidbytes"]
    default: []
    }
  }
}

/// An object or container that is being read.
struct KeyedFrame {
  let form: KeyedForm
  /// The place in `$objects`; of a container in place, that of the object it belongs to.
  let object: Int?
  var objectClass: KeyedClass?
  /// What is read one after the other; of a dictionary the keys, then the values.
  var items: [PropertyListValue] = []
  /// The names of the members that the items are of, where they have several.
  var names: [String] = []
  /// The member that all items are of, where it is one.
  var member = ""
  /// True when the items must be references, as those of the collections are.
  var needsReferences = false
  var results: [KeyedValue] = []

  init(_ form: KeyedForm, object: Int?) {
    self.form = form
    self.object = object
  }

  /// The object whose end closes it; nil for a container in place.
  var opened: Int? { objectClass == nil ? nil : object }

  /// The member the item belongs to.
  func member(at place: Int) -> String {
    guard form == .dictionary else { return place < names.count ? names[place] : member }
    return place < items.count / 2 ? "NS.keys" : member
  }
}
