import CarryoverContainers

/// What became of an input of an audit. Every input has exactly one outcome for each container in it.
package enum AuditOutcome: String, CaseIterable, Sendable {
  /// A plan was made.
  case audited
  /// A plan was made, and the legacy SDK's stores have no value.
  case nothingToMigrate = "nothing-to-migrate"
  /// The container was opened, and no plan could be made.
  case refused
  /// The input could not be opened.
  case unreadable
  /// The input is encrypted.
  case encrypted
  /// It changed while it was read: what was read may be half old and half new.
  case changed
  /// The worker took longer than the limit.
  case timeout
  /// The worker crashed on it twice.
  case crashed

  /// Whether a plan was made.
  package var hasPlan: Bool { self == .audited || self == .nothingToMigrate }
}

extension ContainerError {
  /// The outcome of an input that could not be opened, and a stable word for the reason.
  var outcome: (AuditOutcome, code: String) {
    switch kind {
    case .backup(.encrypted): (.encrypted, "backup")
    case .refusedArchive(.encrypted): (.encrypted, "archive")
    case .refusedArchive(.changed): (.changed, "archive")
    case .notFound: (.unreadable, "not-found")
    case .permissionDenied: (.unreadable, "permission-denied")
    case .symbolicLink, .linkedFolder: (.unreadable, "link")
    case .notContainer, .noContainerWithin, .emptyFolder, .notFileOrFolder, .holdsArchives, .partOfContainer,
      .placeholder, .androidData:
      (.unreadable, "no-container")
    case .nestedArchives: (.unreadable, "nested-archive")
    case .incompletePackage: (.unreadable, "incomplete-package")
    case .backup: (.unreadable, "backup")
    case .archive, .refusedArchive, .precededArchive: (.unreadable, "archive")
    case .archiveLibraryMissing: (.unreadable, "archive-library-missing")
    case .tooLarge: (.unreadable, "too-large")
    case .notPropertyList, .corruptPropertyList, .database: (.unreadable, "damaged")
    case .failed: (.unreadable, "file-system")
    case .holdsContainers: (.unreadable, "too-many-containers")
    case .invalidPath, .noSuchApp, .severalApps, .invalidSelection, .invalidBundleID, .cancelled:
      (.unreadable, "invalid-path")
    }
  }
}
