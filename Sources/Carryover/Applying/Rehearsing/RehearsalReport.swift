import CarryoverSystem

/// The result of a rehearsal: a migration that was applied to a copy and rolled back there.
package struct RehearsalReport: Hashable, Sendable {
  /// The report of the apply.
  package var run: RunReport
  /// The steps in order. Empty if nothing had to be written.
  package var steps: [RehearsalStep]
  /// All copied files, and the target.
  package var files: [RehearsedFile]

  /// Whether every step succeeded.
  package var isProved: Bool { steps.allSatisfy(\.problems.isEmpty) }
}

/// One step of a rehearsal.
package struct RehearsalStep: Hashable, Sendable {
  /// The steps. The raw value is the word in JSON output.
  package enum Kind: String, Sendable {
    /// The files that the run needs were copied.
    case copy
    /// The plan was applied to the copy.
    case apply
    /// The copy was read again and compared with the plan.
    case verify
    /// The run was rolled back on the copy.
    case rollback
    /// The copy was compared with the original: bytes, permission bits and absence.
    case compare
  }

  package var kind: Kind
  /// The problems, each as a whole sentence; empty if the step succeeded.
  package var problems: [String]

  init(_ kind: Kind, problems: [String] = []) {
    self.kind = kind
    self.problems = problems
  }
}

/// One file of a rehearsal.
package struct RehearsedFile: Identifiable, Hashable, Sendable {
  /// The path, relative to the container's root.
  package var id: String
  /// The file's state in the container; nil if it does not exist.
  package var original: State?
  /// The file's state in the copy after the apply.
  package var applied: State?
  /// The file's state in the copy after the rollback.
  package var rolledBack: State?

  /// The state of a file.
  package struct State: Hashable, Sendable {
    /// The size in bytes.
    package var size: Int
    /// The SHA-256 of the bytes, in hexadecimal digits.
    package var sha256: String
    /// The permission bits.
    package var mode: UInt32
  }
}

extension RehearsedFile.State {
  /// The state of a file; nil if there is none.
  init?(_ state: FileState) {
    guard case .file(let bytes, let attributes) = state else { return nil }
    self.init(size: bytes.count, sha256: SHA256.hexDigest(bytes), mode: attributes.mode)
  }
}
