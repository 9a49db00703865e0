public import PropertyLists

/// A step of a model's history, from one version to the next. It works on the data itself, so you do not need the types
/// of old versions. Never change a released step.
public struct ModelStep: Sendable {
  /// The version that the step starts from; it leads to the next.
  package let from: Int
  /// What the step does, in a few words.
  package let title: String
  /// The declared operations; empty for a step in code.
  package let operations: [ModelOperation]
  let body: @Sendable (inout JSONValue) throws -> Void

  /// Creates a step of declared operations, which run in order.
  /// - Parameter title: what the step does; by default, the titles of its operations.
  public init(from: Int, _ operations: [ModelOperation], title: String? = nil) {
    self.init(from: from, operations, title: title) { value in for operation in operations { try operation(&value) } }
  }

  private init(
    from: Int, _ operations: [ModelOperation], title: String?,
    body: @escaping @Sendable (inout JSONValue) throws -> Void
  ) {
    self.from = from
    self.operations = operations
    self.title = title ?? operations.map(\.title).joined(separator: "; ")
    self.body = body
  }

  /// Creates a step of declared operations from a recipe, which a stranger may have written.
  /// - Parameter elements: the most elements on which the step runs operations.
  package init(from: Int, _ operations: [ModelOperation], title: String?, onAtMost elements: Int) {
    self.init(from: from, operations, title: title) { value in
      var left = elements
      for operation in operations { try operation.perform(on: &value, &left) }
    }
  }

  /// Creates a step in code.
  /// - Parameter body: changes the data in place. An error that it throws stops the migration before anything is
  ///   written, and is the cause of the ``ModelError``.
  public init(from: Int, _ title: String, body: @escaping @Sendable (inout JSONValue) throws -> Void) {
    self.from = from
    self.title = title
    operations = []
    self.body = body
  }

  /// The version that the step leads to.
  package var to: Int { from < Int.max ? from + 1 : from }
}
