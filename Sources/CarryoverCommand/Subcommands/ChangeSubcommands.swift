import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverSystem

struct GetSubcommand: ContainerCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Prints one value of a store, on one line.",
    discussion: PlaceHelp.discussion + """


      Text is printed as it is, with line breaks and other hidden characters escaped; data as hexadecimal digits, arrays \
      and dictionaries as JSON. In a SQLite database, KEY is the table, the name of the row and the column. The exit \
      status is 1 if there is no such value.
      """)

  @OptionGroup var container: ContainerArguments
  @Argument(help: "The store.") var store: String
  @Argument(help: "The value's key.") var key: String
  @OptionGroup var secrets: SecretsArgument
  @OptionGroup var redacting: RedactionArguments
  @Flag(help: "Print the value with its type as JSON, schema carryover.value/1.") var json = false

  func run() throws {
    try reporting(redacting) { masking in
      var opened = try container.open(tables: true, masking)
      // Reading tables takes longer than reading the stores.
      if opened.container.stores(named: store).allSatisfy({ if case .database = $0.content { true } else { false } }) {
        try Edge.countUnread(&opened, masking, limits: .comparing)
      }
      let (path, child) = try value(in: opened.container, masking)
      let isSecret =
        path.labels.contains { $0.name.map(Secrets.holds) == true } || Secrets.areIn(child.value)
      guard secrets.secrets || !isSecret else {
        throw CommandFailure("\(path.labelText) is or contains a secret. Show it with --secrets.", .error)
      }
      if json {
        try Console.printDocument(masking.document(Self.document(path, child)))
      } else {
        try Console.printEscaped(DisplayText.harmless(Self.line(child, masking)))
      }
      if let failure = Edge.recoveryNeeded(opened) { throw failure }
    }
  }

  private func value(in container: Container, _ masking: Masking) throws -> (path: InspectedPath, child: InspectedChild)
  {
    do throws(ChangeError) {
      return try container.value(store: store, key: key)
    } catch {
      if case .noValue = error, let unread = container.unreadRowsSentence { Console.error(masking.notice(unread)) }
      throw error
    }
  }

  private static func document(_ path: InspectedPath, _ child: InspectedChild) -> JSONValue {
    // Of an archive, only a value that a property list can express whole.
    let plain = if case .keyed(let keyed) = child.raw { keyed.plain } else { child.raw.propertyListValue }
    let value = plain.map(CodedValue.json) ?? ["type": "object", "value": .null]
    return .object(["schema": "carryover.value/1", "store": path.store, "key": path.labelText])
      .adding(value.members ?? [])
  }

  private static func line(_ child: InspectedChild, _ masking: Masking) -> String {
    switch child.raw {
    case .json(let json): return text(masking.element(json))
    case .keyed(let keyed): return text(masking.element(keyed.shownJSON))
    case .propertyList(let value):
      switch masking.value(value) ?? value {
      case .data(let bytes): return bytes.hexadecimal
      case .array, .dictionary, .set: return text(masking.element(KeyedValue(value).shownJSON))
      case let scalar: return scalar.editableText ?? scalar.inline(limit: .max)
      }
    }
  }

  private static func text(_ json: JSONValue) -> String { json.stringValue ?? json.text() }
}

struct SetSubcommand: ChangingCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Changes or adds a value of a store, after a backup; rollback restores it.",
    discussion: PlaceHelp.discussion + """


      Everything else in the store stays the same, byte for byte. An existing value keeps its type unless --type gives \
      another, and JSON text stays valid JSON unless --type is text; a new value is text. To append an element, give the \
      number after the last one. With --from, a file lists any number of changes; all of them are written, or none.
      """)

  @OptionGroup var container: ContainerArguments
  @Argument(help: "The store.") var store: String?
  @Argument(help: "The value's key.") var key: String?
  @Argument(help: "The new value. Put a value that begins with a hyphen last, after two hyphens.") var value: String?
  @Option(
    help: ArgumentHelp(
      "The type of the value: text, integer, real, boolean, date (2026-01-31T12:00:00Z), data (hexadecimal digits), or null in JSON.",
      valueName: "type"))
  var type: ValueType?
  @Option(
    help: ArgumentHelp(
      "Make the changes of this file, schema carryover.changes/1, as --dry-run --json prints them.", valueName: "file"),
    completion: .file())
  var from: String?
  @OptionGroup var changing: ChangeArguments

  func run() throws {
    try reporting(changing.redacting) { masking in
      let document = try from.map { try read($0) }
      guard document != nil || value != nil else {
        throw CommandFailure.usage("carryover set needs a store, a key and a value, or a file with --from.")
      }
      try change(masking) { (container) throws(ChangeError) in
        if let document { return try ChangeDocument.changes(document, in: container) }
        return [
          ValueChange(try container.place(store: store ?? "", key: key ?? ""), .typed(value ?? "", type))
        ]
      }
    }
  }

  private func read(_ path: String) throws -> [UInt8] {
    guard store == nil, type == nil else {
      throw CommandFailure.usage("--from takes the changes from a file; give no store, key, value or type.")
    }
    guard path != "-" else {
      throw CommandFailure.usage("--from needs the path of a file; it does not read standard input.")
    }
    return try POSIXFileSystem().read(path, limit: ChangeDocument.largest).bytes
  }
}

struct DeleteSubcommand: ChangingCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Removes a value of a store, after a backup; rollback restores it.",
    discussion: PlaceHelp.discussion)

  @OptionGroup var container: ContainerArguments
  @Argument(help: "The store.") var store: String
  @Argument(help: "The value's key.") var key: String
  @OptionGroup var changing: ChangeArguments

  func run() throws {
    try reporting(changing.redacting) { masking in
      try change(masking) { (container) throws(ChangeError) in
        [ValueChange(try container.place(store: store, key: key), .removed)]
      }
    }
  }
}
