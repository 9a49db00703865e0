/// How the members of an object form its value: by its class, or as a container written in place.
enum KeyedForm {
  case string, data, number, date, null, array, set, orderedSet, dictionary, url, uuid
  /// Any other class.
  case opaque
  /// A container written in place of a reference.
  case inPlaceArray, inPlaceSet, inPlaceDictionary

  /// Recognises the exact name only: a subclass may use other members.
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

  /// The names that a class with a single member may use for it.
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
  /// The object's index in `$objects`; for a container in place, that of the object that contains it.
  let object: Int?
  var objectClass: KeyedClass?
  /// The items to read in order; for a dictionary, the keys and then the values.
  var items: [PropertyListValue] = []
  /// The names of the items' members, if there are several.
  var names: [String] = []
  /// The member of all items, if there is only one.
  var member = ""
  /// Whether the items must be references, as in collections.
  var needsReferences = false
  var results: [KeyedValue] = []

  init(_ form: KeyedForm, object: Int?) {
    self.form = form
    self.object = object
  }

  /// The object whose end closes the frame; nil for a container in place.
  var opened: Int? { objectClass == nil ? nil : object }

  /// The member of an item.
  func member(at place: Int) -> String {
    guard form == .dictionary else { return place < names.count ? names[place] : member }
    return place < items.count / 2 ? "NS.keys" : member
  }
}
