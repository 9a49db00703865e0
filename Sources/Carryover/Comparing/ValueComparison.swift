import CarryoverStorage
import CarryoverSystem
import PropertyLists

/// Compares values. Packed values are opened and compared member by member.
///
/// Two values are equal if an app reads the same from them. The order of keys and of sets, the format of a property list
/// and the spelling of JSON do not count, unless the comparison is exact. The types of values count, and so does the
/// order of arrays. The elements of an array are compared by their positions after equal ones at both ends; a queue that
/// lost elements at one end and got some at the other is recognised.
struct ValueComparison {
  enum Outcome {
    case changed, form
    case inside([ValueDifference])
  }

  let isExact: Bool
  /// How much may still be compared, because packed values can unfold without end: a value counts as one, a long one
  /// also as one for each 256 bytes.
  private var left: Int
  /// Whether the limits were reached inside the value that is being compared.
  private var isStopped = false
  /// Whether a value was compared only as it is stored, because it is beyond the limits.
  private(set) var isCut = false

  init(isExact: Bool, most: Int) { (self.isExact, left) = (isExact, most) }

  /// The greatest depth that is compared by member: the readers' own limit.
  private static let deepest = 512

  // MARK: - A value

  /// The difference between two values of a key; nil if they are equal. Beyond the limits, only whether they are stored
  /// alike.
  private mutating func difference(
    ofKey before: InspectedChild, _ after: InspectedChild, place: Int
  ) -> ValueDifference? {
    let found = difference(before, after, place: place, level: 1)
    // Archived objects are numbered by their places in the file, so only opened ones can be compared.
    if case .keyed = after.raw { return found }
    guard isStopped else { return found }
    (isCut, isStopped) = (true, false)
    return Self.areStoredAlike(before.raw, after.raw) ? nil : ValueDifference(.changed, before, after, place: place)
  }

  /// What differs between the roots of two stores; nil if they are equal.
  mutating func outcome(of before: InspectedValue, _ after: InspectedValue) -> Outcome? {
    guard before.raw.form == after.raw.form, Self.isOneFormat(before.packings, after.packings) else { return .changed }
    let found = contents(before, after, level: 0)
    guard isStopped else { return found }
    (isCut, isStopped) = (true, false)
    return .changed
  }

  private mutating func difference(
    _ before: InspectedChild, _ after: InspectedChild, place: Int, level: Int
  ) -> ValueDifference? {
    guard let outcome = outcome(before, after, level: level), !isStopped else { return nil }
    return switch outcome {
    case .changed: ValueDifference(.changed, before, after, place: place)
    case .form: ValueDifference(.form, before, after, place: place)
    case .inside(let inner): ValueDifference(.changed, before, after, place: place, inner: inner)
    }
  }

  private mutating func outcome(_ before: InspectedChild, _ after: InspectedChild, level: Int) -> Outcome? {
    left -= 1
    guard left > 0, level <= Self.deepest, !isStopped else {
      isStopped = true
      return nil
    }
    guard before.raw.form == after.raw.form else { return .changed }
    let size = max(before.raw.byteCount, after.raw.byteCount)
    left -= size / 256
    if !before.raw.mayBePacked { return scalar(before.raw, after.raw) }
    if size > 0, Self.areStoredAlike(before.raw, after.raw) { return nil }
    let (old, new) = (before.value, after.value)
    left -= (old.packedSize + new.packedSize) / 256
    guard Self.isOneFormat(old.packings, new.packings) else { return .changed }
    if let found = contents(old, new, level: level) { return found }
    guard !old.packings.isEmpty, size > 0 else { return nil }
    // The value lacks half of a surrogate pair, so texts that differ there cannot be compared by value.
    if before.raw.losesText || after.raw.losesText { return .changed }
    return isExact ? .form : nil
  }

  private mutating func contents(_ old: InspectedValue, _ new: InspectedValue, level: Int) -> Outcome? {
    guard old.content.form == new.content.form else { return .changed }
    guard old.isContainer else { return scalar(old.content, new.content) }
    if case (.keyed(.object(let old)), .keyed(.object(let new))) = (old.content, new.content),
      old.objectClass != new.objectClass
    {
      return .changed
    }
    switch old.content {
    case .propertyList(.array), .json(.array), .keyed(.array), .keyed(.orderedSet):
      return elements(old.children, new.children, level: level)
    case .propertyList(.set), .keyed(.set): return members(old.children, new.children, isSet: true, level: level)
    default: return members(old.children, new.children, isSet: false, level: level)
    }
  }

  private func scalar(_ old: InspectedValue.Content, _ new: InspectedValue.Content) -> Outcome? {
    if Self.areStoredAlike(old, new) { return nil }
    switch (old, new) {
    // A back reference, numbered by the object's place in the file.
    case (.keyed(.cycle), .keyed(.cycle)): return nil
    case (.propertyList(.real(let old)), .propertyList(.real(let new))):
      guard old.value.bitPattern == new.value.bitPattern else { return .changed }
    case (.json(.number(let old)), .json(.number(let new))):
      guard Decimal(old.lexeme) == Decimal(new.lexeme) else { return .changed }
    default: return .changed
    }
    return isExact ? .form : nil
  }

  private static func areStoredAlike(_ old: InspectedValue.Content, _ new: InspectedValue.Content) -> Bool {
    switch (old, new) {
    case (.propertyList(let old), .propertyList(let new)): old == new
    case (.json(let old), .json(let new)): old == new
    case (.keyed(let old), .keyed(let new)): old == new
    default: false
    }
  }

  /// Property lists are read in either format.
  private static func isOneFormat(_ old: [Packing], _ new: [Packing]) -> Bool {
    old.count == new.count && zip(old, new).allSatisfy { $0.anyFormat == $1.anyFormat }
  }

  // MARK: - Values inside

  /// By label; elements of a set, and pairs without a name, by their values.
  private mutating func members(
    _ olds: [InspectedChild], _ news: [InspectedChild], isSet: Bool, level: Int
  ) -> Outcome? {
    var partners = [Int?](repeating: nil, count: olds.count)
    var isTaken = [Bool](repeating: false, count: news.count)
    func pair(_ old: Int, _ new: Int) { (partners[old], isTaken[new]) = (new, true) }
    for place in 0..<min(olds.count, news.count) where olds[place].label.name != nil {
      if olds[place].label == news[place].label { pair(place, place) }
    }
    if partners.contains(nil) {
      var open: [InspectedChild.Label: [Int]] = [:]
      for place in news.indices.reversed() where !isTaken[place] && news[place].label.name != nil {
        open[news[place].label, default: []].append(place)
      }
      for place in olds.indices where partners[place] == nil && olds[place].label.name != nil {
        if let partner = open[olds[place].label]?.popLast() { pair(place, partner) }
      }
      var alike: [Int: [Int]] = [:]
      for place in news.indices.reversed() where news[place].label.name == nil {
        alike[identity(news[place], isSet: isSet, level: level), default: []].append(place)
      }
      for place in olds.indices where olds[place].label.name == nil {
        if let partner = alike[identity(olds[place], isSet: isSet, level: level)]?.popLast() { pair(place, partner) }
      }
    }
    return outcome(olds, news, partners, level: level)
  }

  /// What identifies an element of a set, or a pair whose key is not text.
  private mutating func identity(_ child: InspectedChild, isSet: Bool, level: Int) -> Int {
    let value = isSet ? child : child.value(limits: .closed).child(at: 0) ?? child
    return hash(value, level: level + 1)
  }

  private mutating func elements(_ olds: [InspectedChild], _ news: [InspectedChild], level: Int) -> Outcome? {
    if olds.count == news.count {
      let straight = outcome(olds, news, Array(olds.indices), level: level)
      guard case .inside(let found)? = straight, found.count > 1 else { return straight }
      let partners = alignment(olds, news, level: level)
      return partners == olds.indices.map(Optional.some) ? straight : outcome(olds, news, partners, level: level)
    }
    return outcome(olds, news, alignment(olds, news, level: level), level: level)
  }

  /// The new element to compare each old element with.
  private mutating func alignment(_ olds: [InspectedChild], _ news: [InspectedChild], level: Int) -> [Int?] {
    let old = olds.map { hash($0, level: level + 1) }
    let new = news.map { hash($0, level: level + 1) }
    let start = zip(old, new).prefix { $0 == $1 }.count
    let most = min(old.count, new.count) - start
    let end = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.prefix(most).count
    let (olds, news) = (old[start..<(old.count - end)], new[start..<(new.count - end)])
    let straight = zip(olds, news).count { $0 != $1 } + abs(olds.count - news.count)
    // How many of the last old elements are the first new ones, and the reverse.
    let (forth, back) = (Self.overlap(olds, news), Self.overlap(news, olds))
    let moved = olds.count + news.count - 2 * max(forth, back)
    var partners = [Int?](repeating: nil, count: old.count)
    for place in 0..<start { partners[place] = place }
    for place in 0..<end { partners[old.count - 1 - place] = new.count - 1 - place }
    if moved < straight {
      let (from, to) =
        forth >= back ? (olds.endIndex - forth, news.startIndex) : (olds.startIndex, news.endIndex - back)
      for place in 0..<max(forth, back) { partners[from + place] = to + place }
    } else {
      for place in start..<(start + min(olds.count, news.count)) { partners[place] = place }
    }
    return partners
  }

  /// How many of the last elements of one array are the first of the other.
  private static func overlap(_ one: ArraySlice<Int>, _ other: ArraySlice<Int>) -> Int {
    let wanted = Array(other)
    var shorter: [Int] = []
    func grown(_ length: Int, by element: Int) -> Int {
      var length = length
      while length > 0, length == wanted.count || wanted[length] != element { length = shorter[length - 1] }
      return length < wanted.count && wanted[length] == element ? length + 1 : 0
    }
    for (place, element) in wanted.enumerated() {
      shorter.append(place == 0 ? 0 : grown(shorter[place - 1], by: element))
    }
    return one.reduce(0) { grown($0, by: $1) }
  }

  private mutating func outcome(
    _ olds: [InspectedChild], _ news: [InspectedChild], _ partners: [Int?], level: Int
  ) -> Outcome? {
    var origins = [Int?](repeating: nil, count: news.count)
    var found: [ValueDifference] = []
    var next = 0
    var isReordered = false
    for (old, partner) in partners.enumerated() {
      guard let partner else {
        found.append(ValueDifference(removed: olds[old], place: next))
        continue
      }
      if partner < next { isReordered = true }
      next = partner + 1
      origins[partner] = old
    }
    let removed = found.count
    for (new, origin) in origins.enumerated() {
      guard let origin else {
        found.append(ValueDifference(added: news[new], place: new))
        continue
      }
      let inner =
        level == 0
        ? difference(ofKey: olds[origin], news[new], place: new)
        : difference(olds[origin], news[new], place: new, level: level + 1)
      if isStopped { return nil }
      if let inner { found.append(inner) }
    }
    guard !found.isEmpty else { return isExact && isReordered ? .form : nil }
    if removed > 0 {
      let order = found.indices.sorted { (found[$0].place, $0) < (found[$1].place, $1) }
      return .inside(order.map { found[$0] })
    }
    return .inside(found)
  }

  // MARK: - Equal values have equal hashes

  private mutating func hash(_ child: InspectedChild, level: Int) -> Int {
    var hasher = Hasher()
    left -= 1
    guard left > 0, level <= Self.deepest, !isStopped else {
      isStopped = true
      return 0
    }
    hasher.combine(child.raw.form)
    left -= child.raw.byteCount / 256
    guard child.raw.mayBePacked else {
      Self.hash(child.raw, into: &hasher)
      return hasher.finalize()
    }
    let value = child.value
    left -= value.packedSize / 256
    hasher.combine(value.packings.map(\.anyFormat))
    hasher.combine(value.content.form)
    if case .keyed(.object(let object)) = value.content { hasher.combine(object.objectClass) }
    guard value.isContainer else {
      Self.hash(value.content, into: &hasher)
      return hasher.finalize()
    }
    var sum = 0
    for inner in value.children {
      let hash = hash(inner, level: level + 1)
      switch value.content {
      case .propertyList(.array), .json(.array), .keyed(.array), .keyed(.orderedSet): hasher.combine(hash)
      case .propertyList(.set), .keyed(.set): sum &+= hash
      default:
        var pair = Hasher()
        pair.combine(inner.label.name.map { StringByBytes($0) })
        pair.combine(hash)
        sum &+= pair.finalize()
      }
    }
    hasher.combine(sum)
    hasher.combine(value.count)
    return hasher.finalize()
  }

  private static func hash(_ scalar: InspectedValue.Content, into hasher: inout Hasher) {
    switch scalar {
    case .propertyList(.real(let real)): hasher.combine(real.value.bitPattern)
    case .propertyList(let value): hasher.combine(value)
    case .json(.number(let number)): hasher.combine(Decimal(number.lexeme))
    case .json(let value): hasher.combine(value)
    case .keyed(.cycle): break
    case .keyed(let value): hasher.combine(value)
    }
  }
}

extension Packing {
  fileprivate var anyFormat: Packing { self == .xmlPropertyList ? .binaryPropertyList : self }
}

extension InspectedValue.Content {
  fileprivate enum Form: Hashable {
    case propertyList(PropertyListValue.Kind)
    case json(JSONKind)
    case keyed(KeyedValue.Kind)
  }

  /// What must be the same for two values to be compared: where the value is, and its type.
  fileprivate var form: Form {
    switch self {
    case .propertyList(let value): .propertyList(value.kind)
    case .json(let value): .json(value.kind)
    case .keyed(let value): .keyed(value.kind)
    }
  }

  /// The size of text and data, which is compared before it is opened.
  package var byteCount: Int {
    switch self {
    case .propertyList(.string(let text)), .json(.string(let text)): text.utf8.count
    case .propertyList(.data(let bytes)): bytes.count
    default: 0
    }
  }

  /// Whether there may be other values in it.
  fileprivate var mayBePacked: Bool {
    switch self {
    case .propertyList(.string), .propertyList(.data), .propertyList(.array), .propertyList(.dictionary),
      .propertyList(.set), .json(.string), .json(.object), .json(.array):
      true
    case .keyed(let value):
      switch value {
      case .url, .uuid, .cycle: false
      default: true
      }
    default: false
    }
  }

  /// Whether it is JSON with an escape of half a surrogate pair.
  fileprivate var losesText: Bool {
    switch self {
    case .propertyList(.string(let text)), .json(.string(let text)): (try? JSONText(text))?.hasLoneSurrogate ?? false
    case .propertyList(.data(let bytes)): (try? JSONText(bytes: bytes))?.hasLoneSurrogate ?? false
    default: false
    }
  }
}

/// The value of a number in JSON, however it is spelled: `1.50` is `15e-1`.
private struct Decimal: Hashable {
  private var isNegative = false
  /// Without zeros at either end; empty for zero.
  private var digits: [UInt8] = []
  private var exponent = 0
  /// The text of a number whose exponent is too large.
  private var other: StringByBytes?

  init(_ lexeme: String) {
    let bytes = Array(lexeme.utf8)
    let mantissa = bytes.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    let power = String(decoding: bytes.dropFirst(mantissa.count + 1), as: UTF8.self)
    guard let power = mantissa.count == bytes.count ? 0 : Int32(power) else {
      other = StringByBytes(lexeme)
      return
    }
    isNegative = mantissa.first == UInt8(ascii: "-")
    let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.endIndex
    exponent = Int(power) - max(0, mantissa.endIndex - point - 1)
    digits = mantissa.filter(\.isDigit)
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
    if digits.isEmpty { (isNegative, exponent) = (false, 0) }
  }
}
