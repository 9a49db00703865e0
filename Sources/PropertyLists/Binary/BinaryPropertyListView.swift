/// A binary property list whose root dictionary is read pair by pair, on demand.
///
/// Opening checks only the layout of the file. The cost of a pair depends on its own size, not on the file's.
package struct BinaryPropertyListView: Sendable {
  /// The file.
  package let bytes: PropertyListBytes
  /// The number of pairs in the root dictionary, including duplicate keys.
  package let count: Int
  private let layout: BinaryLayout
  private let limits: PropertyListLimits
  /// The offset of the root's references: first the keys', then the values'.
  private let references: Int

  /// Opens a file.
  ///
  /// - Throws: ``PropertyListError`` if the layout is damaged, the file is too large or the root is not a dictionary.
  package init(_ bytes: PropertyListBytes, limits: PropertyListLimits = .default) throws(PropertyListError) {
    let opened = try bytes.withBytes { buffer throws(PropertyListError) in
      guard buffer.count <= limits.fileSize else {
        throw PropertyListError(.fileTooLarge(size: buffer.count, limit: limits.fileSize))
      }
      guard try FormatRecognition.recognise(buffer) == .binary else { throw PropertyListError(.unrecognised) }
      let layout = try BinaryLayout(buffer)
      let objects = try BinaryObjects(buffer, layout)
      let offset = try objects.offset(of: layout.root)
      let head = try objects.head(at: offset, object: layout.root)
      guard head.type == 0xD else {
        throw PropertyListError(
          .rootNotDictionary(head.kind), at: PropertyListPosition(offset: offset, object: layout.root))
      }
      return (layout, head)
    }
    self.bytes = bytes
    self.limits = limits
    layout = opened.0
    count = opened.1.count
    references = opened.1.content
  }

  /// The key of a pair; nil if there is no such pair.
  ///
  /// - Throws: ``PropertyListError`` if the key is damaged or not a string.
  package func key(at index: Int) throws(PropertyListError) -> String? {
    guard index >= 0, index < count else { return nil }
    return try withObjects { (objects, _) throws(PropertyListError) in
      objects.string(try keyHead(objects, index)).text
    }
  }

  /// The value of a pair with everything inside it; nil if there is no such pair.
  ///
  /// - Throws: ``PropertyListError`` if the value is damaged or exceeds a limit.
  package func value(at index: Int) throws(PropertyListError) -> PropertyListValue? {
    guard index >= 0, index < count else { return nil }
    return try withObjects { (objects, buffer) throws(PropertyListError) in
      let object = try objects.reference(at: references + (count + index) * layout.referenceSize)
      var reader = try BinaryReader(buffer, limits: limits)
      return try reader.read(object: object)
    }
  }

  /// The type of a pair's value, without reading its contents; nil if there is no such pair.
  ///
  /// - Throws: ``PropertyListError`` if the value is damaged.
  package func kind(at index: Int) throws(PropertyListError) -> PropertyListValue.Kind? {
    guard index >= 0, index < count else { return nil }
    return try withObjects { (objects, _) throws(PropertyListError) in
      let object = try objects.reference(at: references + (count + index) * layout.referenceSize)
      return try objects.head(at: try objects.offset(of: object), object: object).kind
    }
  }

  /// The position of a key's first pair, found by comparing bytes, without creating a string; nil if there is none.
  ///
  /// - Throws: ``PropertyListError`` if a key before it is damaged or not a string.
  package func index(of key: String) throws(PropertyListError) -> Int? {
    let ascii = Array(key.utf8)
    var utf16: [UInt8] = []
    for unit in key.utf16 {
      utf16.append(UInt8(truncatingIfNeeded: unit >> 8))
      utf16.append(UInt8(truncatingIfNeeded: unit))
    }
    let isPlain = ascii.allSatisfy { $0 < 0x80 }
    return try withObjects { (objects, _) throws(PropertyListError) in
      for index in 0..<count {
        let head = try keyHead(objects, index)
        let found = UnsafeBufferPointer(start: objects.base + head.content, count: head.size)
        if head.type == 0x6 {
          if found.elementsEqual(utf16) { return index }
        } else if isPlain ? found.elementsEqual(ascii) : objects.string(head).text.hasSameBytes(as: key) {
          return index
        }
      }
      return nil
    }
  }

  /// The value of a key's first pair; nil if there is none.
  ///
  /// - Throws: ``PropertyListError`` as ``index(of:)`` and ``value(at:)`` do.
  package func value(forKey key: String) throws(PropertyListError) -> PropertyListValue? {
    guard let index = try index(of: key) else { return nil }
    return try value(at: index)
  }

  private func keyHead(_ objects: BinaryObjects, _ index: Int) throws(PropertyListError) -> BinaryObjects.Head {
    let object = try objects.reference(at: references + index * layout.referenceSize)
    let offset = try objects.offset(of: object)
    let head = try objects.head(at: offset, object: object)
    guard head.kind == .string else {
      throw PropertyListError(.keyNotString(head.kind), at: PropertyListPosition(offset: offset, object: object))
    }
    return head
  }

  private func withObjects<Result>(
    _ body: (BinaryObjects, UnsafeBufferPointer<UInt8>) throws(PropertyListError) -> Result
  ) throws(PropertyListError) -> Result {
    try bytes.withBytes { buffer throws(PropertyListError) in
      try body(try BinaryObjects(buffer, layout), buffer)
    }
  }
}
