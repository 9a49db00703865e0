/// Who reads a text: it names options of the command only to those who can give them.
package enum Reader: Hashable, Sendable {
  /// A user of the command.
  case command
  /// The developer of an app or a tool that embeds the library.
  case app
}

extension Reader {
  /// The words for this reader.
  package func words(_ command: String, _ app: String) -> String { self == .command ? command : app }
}
