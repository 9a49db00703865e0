import Carryover
import CarryoverPages
import CarryoverRecipes
import CarryoverSystem

struct LintedFile {
  var path: String
  var issues: [LintIssue]
}

struct LintOutput {
  var files: [LintedFile]

  func count(_ severity: Severity) -> Int { files.flatMap(\.issues).count { $0.code.severity == severity } }

  /// `PATH:LINE:COLUMN: error: SENTENCE [CODE]`, and a line with the counts.
  var lines: [String] {
    files.flatMap { file in
      file.issues.map { issue in
        "\(DisplayText.visible(file.path)):\(issue.place.line):\(issue.place.column): \(issue.code.severity.rawValue): "
          + "\(DisplayText.harmless(issue.message)) [\(issue.code.rawValue)]"
      }
    } + [summary]
  }

  private var summary: String {
    let notes = count(.note)
    let counts = ([(count(.error), "error"), (count(.warning), "warning")] + (notes > 0 ? [(notes, "note")] : []))
      .map { ValueWording.counted($0, $1) }
    return counts.joined(separator: ", ") + " in \(ValueWording.counted(files.count, "file"))."
      + (count(.error) + count(.warning) + notes > 0 ? " carryover explain CODE explains a code." : "")
  }

  /// Annotations of GitHub's actions.
  var annotations: [String] {
    func escaped(_ text: String) -> String {
      var result = ""
      for scalar in DisplayText.harmless(text).unicodeScalars {
        switch scalar {
        case "%": result += "%25"
        case ":": result += "%3A"
        case ",": result += "%2C"
        default: result.unicodeScalars.append(scalar)
        }
      }
      return result
    }
    return files.flatMap { file in
      file.issues.map { issue in
        let place = "file=\(escaped(file.path)),line=\(issue.place.line),col=\(issue.place.column)"
        let kind = issue.code.severity == .note ? "notice" : issue.code.severity.rawValue
        return "::\(kind) \(place),title=\(issue.code.rawValue)::\(escaped(issue.message))"
      }
    }
  }

  var json: JSONValue {
    .object([
      "schema": "carryover.lint/1", "errors": count(.error), "warnings": count(.warning),
      "files": files.map { JSONValue.object(["path": $0.path, "issues": $0.issues.map(Self.value)]) },
    ])
  }

  private static func value(_ issue: LintIssue) -> JSONValue {
    .object([
      "code": issue.code.rawValue, "severity": issue.code.severity, "line": issue.place.line,
      "column": issue.place.column, "message": issue.message,
    ])
  }
}
