public import PropertyLists

/// One step of a model's history: from a version to the next. It works on the data itself, so that the types of old
/// versions need not be kept. A step that was shipped never changes.
public struct ModelStep: Sendable {
  /// The version it starts from; it leads to the next.
  package let from: Int
  /// What it does, in a few words.
  package let title: String
  /// What it does, where it is declared; empty for a coded step.
  package let operations: [ModelOperation]
  let body: @Sendable (inout JSONValue) throws -> Void

  /// A step of declared operations, carried out in order.
  /// - Parameter title: what it does; by default what its operations say.
  public init(from: Int, _ operations: [ModelOperation], title: String? = nil) {
    self.from = from
    self.operations = operations
    self.title = title ?? operations.map(\.title).joined(separator: "; ")
    body = { value in for operation in operations { try operation(&value) } }
  }

  /// A step in code.
  /// - Parameter body: changes the value in place; what it throws stops the migration before anything is written and is kept
  ///   as the cause.
  public init(from: Int, _ title: String, body: @escaping @Sendable (inout JSONValue) throws -> Void) {
    self.from = from
    self.title = title
    operations = []
    self.body = body
  }

  /// The version it leads to.
  package var to: Int { from < Int.max ? from + 1 : from }
}
