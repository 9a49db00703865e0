import CarryoverSystem

/// What a rehearsal found: a migration that was made on a copy and rolled back there.
package struct RehearsalReport: Hashable, Sendable {
  /// What the apply reported.
  package var run: RunReport
  /// The steps in their order. Empty if nothing had to be written.
  package var steps: [RehearsalStep]
  /// Every file that was copied, and the target.
  package var files: [RehearsedFile]

  /// Whether every step did what it should.
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
  /// What is wrong, each as a whole sentence; empty for a step that did what it should.
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
  /// What it is in the container; nil if it is absent.
  package var original: State?
  /// What it was on the copy after the apply.
  package var applied: State?
  /// What it was there after the rollback.
  package var rolledBack: State?

  /// What tells a file from another one.
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
  /// A file's state; nil for no file.
  init?(_ state: FileState) {
    guard case .file(let bytes, let attributes) = state else { return nil }
    self.init(size: bytes.count, sha256: SHA256.hexDigest(bytes), mode: attributes.mode)
  }
}
