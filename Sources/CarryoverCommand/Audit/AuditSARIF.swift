import Carryover
import CarryoverAudit
import CarryoverSystem
import CarryoverVendors
import PropertyLists

/// The findings of an audit as SARIF 2.1.0, for the code scanning of GitHub and other viewers.
struct AuditSARIF {
  /// The results so far; nil once there are too many.
  private var results: [JSONValue]? = []

  /// GitHub shows no more results of a run.
  static let mostResults = 5_000
  private static let schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

  /// Adds a result for each finding of a container, and for each field that has it.
  mutating func add(_ unit: AuditUnit) {
    guard results != nil else { return }
    let ofFields = Set(unit.fields.flatMap(\.findings))
    for code in unit.findings where !ofFields.contains(code) { add(code, nil, unit) }
    for field in unit.fields {
      for code in Set(field.findings).sorted() { add(code, field.name, unit) }
    }
    if let count = results?.count, count > Self.mostResults { results = nil }
  }

  private mutating func add(_ code: String, _ field: String?, _ unit: AuditUnit) {
    let place = unit.path ?? unit.id.map { "container/" + $0 } ?? unit.name
    let title = Self.title(code)
    results?.append(
      Self.result(
        code, field.map { "\($0): \(title)." } ?? title.capitalised + ".", at: place,
        identity: [unit.recipe ?? "", code, field ?? "", place], count: nil))
  }

  func document(_ totals: AuditTotals) -> JSONValue {
    let results =
      results
      ?? totals.findingCounts.sorted { $0.key < $1.key }.map { key, count in
        let containers = ValueWording.counted(count.containers, "container")
        return Self.result(
          key.code, "\(Self.title(key.code).capitalised), in \(containers) of \(key.recipe).",
          at: count.examples.first ?? key.recipe, identity: [key.recipe, key.code], count: count.containers)
      }
    let driver: JSONValue = .object([
      JSONMember("name", "Carryover"), JSONMember("semanticVersion", .string(Version.text)),
      JSONMember("rules", JSONValue(totals.findings.keys.sorted().map(Self.rule))),
    ])
    let notifications = AuditOutcome.allCases.filter { !$0.hasPlan && totals.outcomes[$0] != nil }.map { outcome in
      let containers = ValueWording.counted(totals.outcomes[outcome, default: 0], "container")
      return JSONValue.object([
        JSONMember("level", "warning"),
        JSONMember("message", Self.text("\(containers) without a plan: \(outcome.rawValue).")),
      ])
    }
    return .object([
      JSONMember("$schema", .string(Self.schema)), JSONMember("version", "2.1.0"),
      JSONMember(
        "runs",
        [
          .object([
            JSONMember("tool", .object([JSONMember("driver", driver)])),
            JSONMember(
              "invocations",
              [
                .object([
                  JSONMember("executionSuccessful", true),
                  JSONMember("toolExecutionNotifications", .array(notifications)),
                ])
              ]),
            JSONMember("columnKind", "utf16CodeUnits"), JSONMember("results", .array(results)),
          ])
        ]),
    ])
  }

  private static func result(
    _ code: String, _ message: String, at place: String, identity: [String], count: Int?
  ) -> JSONValue {
    let location: JSONValue = .object([
      JSONMember(
        "physicalLocation",
        .object([
          JSONMember("artifactLocation", .object([JSONMember("uri", .string(uri(place)))])),
          JSONMember("region", .object([JSONMember("startLine", 1)])),
        ]))
    ])
    return .object(
      [
        JSONMember("ruleId", .string(code)), JSONMember("level", .string(level(code))),
        JSONMember("message", text(message)), JSONMember("locations", [location]),
        JSONMember(
          "partialFingerprints",
          .object([
            JSONMember("carryoverFinding/v1", .string(SHA256.hexDigest(Array(identity.joined(separator: "\n").utf8))))
          ])),
      ] + (count.map { [JSONMember("occurrenceCount", JSONValue($0))] } ?? []))
  }

  private static func rule(_ code: String) -> JSONValue {
    var members = [JSONMember("id", .string(code))]
    if let explanation = FindingCode(rawValue: code)?.explanation {
      members += [
        JSONMember("shortDescription", text(explanation.title.capitalised + ".")),
        JSONMember("fullDescription", text(explanation.happens)), JSONMember("help", text(explanation.whatToDo)),
      ]
    }
    return .object(members + [JSONMember("defaultConfiguration", .object([JSONMember("level", .string(level(code)))]))])
  }

  private static func title(_ code: String) -> String { FindingCode(rawValue: code)?.explanation.title ?? code }

  private static func level(_ code: String) -> String { FindingCode(rawValue: code)?.severity.rawValue ?? "warning" }

  private static func text(_ text: String) -> JSONValue {
    .object([JSONMember("text", .string(DisplayText.harmless(text)))])
  }

  /// A path as a relative URI. A colon in it would begin a scheme.
  private static func uri(_ path: String) -> String {
    var uri = ""
    for byte in path.utf8.drop(while: { $0 == UInt8(ascii: "/") }) {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"), UInt8(ascii: "/"):
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        uri += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
      }
    }
    return uri.isEmpty ? "container" : uri
  }
}
