/// A property list read from a file: its value, its format, its findings and its bytes.
public struct PropertyListDocument: Sendable {
  /// The root value of the file.
  public let root: PropertyListValue
  /// The format of the file.
  public let format: PropertyListFormat
  /// What the reader tolerated.
  public let findings: [PropertyListFinding]
  package let bytes: [UInt8]
  package let limits: PropertyListLimits

  /// Reads a binary or XML property list.
  ///
  /// - Throws: ``PropertyListError`` for an empty file, another format, damage, or a file beyond the limits: 1 GiB,
  ///   depth 512, ten million values. Reading never traps, and checks counts before it reserves memory.
  public init(bytes: [UInt8]) throws(PropertyListError) { try self.init(bytes: bytes, limits: .default) }

  package init(bytes: [UInt8], limits: PropertyListLimits) throws(PropertyListError) {
    let reading = try bytes.withUnsafeBufferPointer { buffer throws(PropertyListError) in
      try Self.read(buffer, limits: limits)
    }
    (root, format, findings) = reading
    self.bytes = bytes
    self.limits = limits
  }

  /// The first reason that Apple's readers refuse the file, so that an app finds none of its values; nil if they read it.
  package var refusal: PropertyListFinding? { findings.first(where: \.isRefusal) }

  /// The first reason that Apple's readers refuse the file and that an edit does not remove; nil if there is none.
  package var lastingRefusal: PropertyListFinding? {
    findings.first { $0.isRefusal && !$0.isRemovedByEdits }
  }

  /// The root dictionary; nil if the root has another type.
  public var dictionary: PropertyListDictionary? {
    if case .dictionary(let dictionary) = root { dictionary } else { nil }
  }

  /// Encodes a value as a new file. The same value always gives the same bytes.
  ///
  /// - Throws: ``PropertyListError`` for a value that other readers would refuse or misread: nesting beyond 512, a UID
  ///   above 4,294,967,295; in XML also a set, a null, an integer beyond 64 bits, a date that is not a whole second, a
  ///   control character, a text that begins with U+FEFF, and a dictionary that reads as a UID.
  public static func encode(
    _ root: PropertyListValue, as format: PropertyListFormat
  ) throws(PropertyListError) -> [UInt8] {
    switch format {
    case .binary: try BinaryWriter.encode(root)
    case .xml: try XMLWriter.encode(root)
    }
  }

  private static func read(
    _ bytes: UnsafeBufferPointer<UInt8>, limits: PropertyListLimits
  ) throws(PropertyListError) -> (PropertyListValue, PropertyListFormat, [PropertyListFinding]) {
    guard bytes.count <= limits.fileSize else {
      throw PropertyListError(
        "The file has \(bytes.count) bytes, more than the limit of \(limits.fileSize)")
    }
    switch try FormatRecognition.recognise(bytes) {
    case .binary:
      var reader = try BinaryReader(bytes, limits: limits)
      let root = try reader.read()
      return (root, .binary, reader.findings.all)
    case .xml:
      let result = try XMLReader.read(bytes, limits: limits)
      return (result.root, .xml, result.findings)
    }
  }

  /// Applies edits to the root dictionary and returns the bytes of the new file. Everything else stays the same.
  ///
  /// In XML, only the edited byte ranges change: comments, indentation and the text of other values stay. In a binary
  /// file, unchanged objects keep their bytes and sharing, and unreachable objects are removed. Edits apply in order.
  /// If they change nothing, the bytes are the same; the same edits always give the same bytes.
  ///
  /// - Throws: ``PropertyListError`` if the root is not a dictionary, or for a value that the format cannot represent
  ///   (see ``encode(_:as:)``).
  public func editing(_ edits: [PropertyListEdit]) throws(PropertyListError) -> [UInt8] {
    guard case .dictionary(let dictionary) = root else { throw PropertyListError(.rootNotDictionary(root.kind)) }
    let plan = EditPlan(edits, of: dictionary.entries)
    if plan.isEmpty { return bytes }
    return try bytes.withUnsafeBufferPointer { buffer throws(PropertyListError) in
      switch format {
      case .binary: try BinaryEditor.edit(buffer, dictionary, plan)
      case .xml: try XMLEditor.edit(buffer, dictionary, plan, limits)
      }
    }
  }
}
