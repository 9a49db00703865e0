import CarryoverSystem

/// The limits of a recipe file. They bound the time and the memory that a stranger's file can cost.
package enum RecipeLimits {
  package static let bytes = 256 * 1024
  package static let lineBytes = 4096
  package static let depth = 24
  package static let nodes = 10_000
}

/// The first reason that bytes are not the text of a recipe file; nil if they are.
///
/// Only LF and CR LF end a line, and invisible characters are refused. So a line number means the same in every
/// editor, and what a person reads is what Carryover reads.
func defect(ofText bytes: [UInt8]) -> LintIssue? {
  var place = TextPlace(line: 1, column: 1)
  guard bytes.count <= RecipeLimits.bytes else {
    return LintIssue(.tooLarge, place, "The file has more than \(RecipeLimits.bytes / 1024) KiB.")
  }
  var rest = bytes.makeIterator()
  var parser = Unicode.UTF8.ForwardParser()
  var lineBytes = 0
  var afterReturn = false
  while true {
    let scalar: Unicode.Scalar
    switch parser.parseScalar(from: &rest) {
    case .valid(let encoded):
      scalar = Unicode.UTF8.decode(encoded)
      lineBytes += encoded.count
    case .emptyInput: return afterReturn ? LintIssue(.notText, place, loneReturn) : nil
    case .error: return LintIssue(.notText, place, "This is not UTF-8. Save the file as UTF-8.")
    }
    if scalar == "\n" {
      place = TextPlace(line: place.line + 1, column: 1)
      lineBytes = 0
      afterReturn = false
      continue
    }
    if afterReturn { return LintIssue(.notText, place, loneReturn) }
    afterReturn = scalar == "\r"
    if scalar == "\t" {
      return LintIssue(.tab, place, #"This is a tab. Indent with spaces; in quoted text, write "\t"."#)
    }
    if !afterReturn, !DisplayText.hasShape(scalar) {
      let name = "U+" + String(scalar.value, radix: 16, uppercase: true)
      return LintIssue(.notText, place, #"\#(name) is invisible. In quoted text, write it as "\u…"."#)
    }
    guard lineBytes <= RecipeLimits.lineBytes else {
      return LintIssue(.tooLarge, place, "The line has more than \(RecipeLimits.lineBytes) bytes.")
    }
    place.column += 1
  }
}

private let loneReturn = "A carriage return without a line feed does not end a line. Save the file with Unix line ends."
