/// A property list as read from a file: its value, its format, what was odd about it, and its bytes.
public struct PropertyListDocument: Sendable {
  /// The value of the file.
  public let root: PropertyListValue
  /// The format the file has.
  public let format: PropertyListFormat
  /// What was tolerated, in order of discovery.
  public let findings: [PropertyListFinding]
  /// The file as it was read.
  package let bytes: [UInt8]
  /// The bounds the file was read with.
  package let limits: PropertyListLimits

  /// Reads a binary or XML property list.
  ///
  /// - Throws: ``PropertyListError`` for an empty file, another format, damage, or a file beyond the limits: 1 GiB, depth
  ///   512, ten million values. It never traps and never reserves memory for a count that the file cannot hold.
  public init(bytes: [UInt8]) throws(PropertyListError) { try self.init(bytes: bytes, limits: .default) }

  /// Reads a binary or XML property list within other limits.
  package init(bytes: [UInt8], limits: PropertyListLimits) throws(PropertyListError) {
    let reading = try bytes.withUnsafeBufferPointer { buffer throws(PropertyListError) in
      try Self.read(buffer, limits: limits)
    }
    (root, format, findings) = reading
    self.bytes = bytes
    self.limits = limits
  }

  /// The root dictionary, or nil when the root is something else.
  public var dictionary: PropertyListDictionary? {
    if case .dictionary(let dictionary) = root { dictionary } else { nil }
  }

  /// The bytes of a new file. The same value gives the same bytes.
  ///
  /// - Throws: ``PropertyListError`` for a value that a reader of the format would not take back: deeper than 512, a UID
  ///   above 4,294,967,295; in XML also a set, a null, an integer beyond 64 bits, a date that is no whole second of the
  ///   years 1 to 9999, a control character, and a dictionary that reads as a UID.
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
      throw PropertyListError(.fileTooLarge(size: bytes.count, limit: limits.fileSize))
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
}

extension PropertyListDocument {
  /// The bytes of the file after changes to its root dictionary, with everything else exactly as it was.
  ///
  /// XML is changed by byte range: comments, indentation and the text of every untouched value stay. In a binary file
  /// every untouched object keeps its bytes and its sharing; what is no longer reachable is removed. Edits are done in
  /// order; when they change nothing the same bytes come back, and the same edits always give the same bytes.
  ///
  /// - Throws: ``PropertyListError`` when the root is no dictionary, or for a value that the format cannot hold (see
  ///   ``encode(_:as:)``).
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
