/// JSON text with its value and the positions of the top-level members, so that an edit changes only the byte ranges of
/// members.
public struct JSONText: Sendable {
  /// A member of the top-level object.
  package struct Member: Sendable {
    /// The name, decoded.
    package let name: String
    /// The bytes of the name, quotes included.
    package let nameRange: Range<Int>
    /// The value.
    package let value: JSONValue
    /// The bytes of the value.
    package let valueRange: Range<Int>
  }

  /// The text.
  package let text: String
  /// The value of the text.
  public let value: JSONValue
  /// What other parsers would lose or refuse, in the order of the text.
  public let findings: [JSONFinding]
  /// The members of the top-level object in order, including duplicates; empty if the value is not an object.
  package let members: [Member]
  /// The bytes of the top-level value, without space around it.
  package let range: Range<Int>
  /// Whether a string or a name has an escape of half a surrogate pair, which the value does not keep. This is known
  /// even if there are more findings than the limit.
  package let hasLoneSurrogate: Bool

  /// Reads JSON text, strictly according to RFC 8259.
  ///
  /// A lone surrogate and a number beyond the range of a Double are findings, not errors.
  /// - Throws: ``JSONError`` with line and column, also for a text beyond 256 MiB, depth 512 or ten million values.
  public init(_ text: String) throws(JSONError) { try self.init(text, limits: .default) }

  /// Reads JSON text within other limits.
  package init(_ text: String, limits: JSONLimits) throws(JSONError) {
    var contiguous = text
    contiguous.makeContiguousUTF8()
    let parsed = try contiguous.utf8.withContiguous { bytes throws(JSONError) in
      try JSONParser.parse(bytes, limits)
    }
    self.init(contiguous, parsed)
  }

  /// Reads JSON text from bytes, which must be UTF-8 without a byte order mark.
  ///
  /// - Throws: ``JSONError``, as ``init(_:)`` does.
  public init(bytes: [UInt8]) throws(JSONError) { try self.init(bytes: bytes, limits: .default) }

  /// Reads JSON text from bytes within other limits.
  package init(bytes: [UInt8], limits: JSONLimits) throws(JSONError) {
    let parsed = try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in
      try JSONParser.parse(buffer, limits)
    }
    self.init(String(decoding: bytes, as: UTF8.self), parsed)
  }

  private init(_ text: String, _ parsed: JSONParser.Result) {
    self.text = text
    value = parsed.value
    findings = parsed.findings
    members = parsed.members
    range = parsed.range
    hasLoneSurrogate = parsed.hasLoneSurrogate
  }
}

extension String.UTF8View {
  /// Calls `body` with the bytes, which are copied if the string does not store them in one piece.
  func withContiguous<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let direct = withContiguousStorageIfAvailable { buffer in
      Swift.Result<Result, Failure> { () throws(Failure) in try body(buffer) }
    }
    if let direct { return try direct.get() }
    return try Array(self).withUnsafeBufferPointer(body)
  }
}
