/// The texts about device backups.
extension ContainerWording {
  static func backup(_ path: String, _ form: BackupForm) -> String {
    switch form {
    case .database:
      "\(path) is a device backup, which cannot be opened yet: extract the app's container from it first."
    case .legacy:
      "\(path) is a device backup of iOS 9 or older, which is not supported: ask for the app's container, downloaded "
        + "with Xcode."
    case .incomplete(let missing):
      "\(path) is a device backup without its \(missing), which cannot be opened: ask for the whole folder, or make the "
        + "backup again."
    case .encrypted:
      "\(path) is an encrypted device backup, which cannot be opened: ask for a "
        + "backup made with encryption turned off, or for the app's container, downloaded with Xcode."
    case .notDatabase:
      "\(path) is a device backup whose Manifest.db is not a SQLite database: it is damaged or encrypted. Ask for an "
        + "unencrypted backup, or for the app's container, downloaded with Xcode."
    case .damaged:
      "\(path) is a device backup whose list of files, Manifest.db, is damaged: ask for the folder again, or make the "
        + "backup again."
    case .unfinished:
      "\(path) is a device backup that was interrupted while its list of files, Manifest.db, was being written: make the "
        + "backup again, or copy it when it is done."
    case .tooLarge:
      "\(path) is a device backup with more files than are read: ask for the app's container, downloaded with Xcode."
    case .lacking(let bundleID):
      "\(path) is a device backup without the app \(quoted(bundleID)): check the bundle identifier, or make the backup "
        + "on the device that has the app."
    }
  }

  /// The notice about a backup whose list of files can be read, whatever its description says.
  static func readAsUnencrypted(_ description: BackupManifest.Description) -> String? {
    switch description {
    case .unencrypted: nil
    case .encrypted:
      "Manifest.plist says that the backup is encrypted, but its list of files is not: it was read as decrypted. A file "
        + "that is still encrypted counts as damaged."
    case .missing: "The backup has no Manifest.plist: it was read as unencrypted, because its list of files is."
    case .damaged:
      "The backup's Manifest.plist is damaged: it was read as unencrypted, because its list of files is."
    }
  }

  static func backupVersion(_ version: String) -> String {
    "The backup is from a device with system version \(quoted(version))."
  }

  static func filesNotInBackup(_ missing: Int, of files: Int) -> String {
    "The backup lists \(missing) of the apps' \(files) files without their content: they cannot be read. Ask for a "
      + "complete backup if one of them is needed."
  }

  static func orphans(_ names: [String], named: Int) -> String {
    let list = names.prefix(named).map(quoted).joined(separator: ", ")
    let more = names.count > named ? " and \(names.count - named) more" : ""
    return "The backup has files that are not in its list, and belong to no app here: \(list)\(more)."
  }

  static func badRows(_ count: Int) -> String {
    count == 1
      ? "1 entry in the backup's list has no usable name, path or kind and was skipped."
      : "\(count) entries in the backup's list have no usable name, path or kind and were skipped."
  }

  static func misnamedFiles(_ count: Int) -> String {
    count == 1
      ? "1 file of the apps has a name that does not match its path: its content may be another file's."
      : "\(count) files of the apps have names that do not match their paths: their content may be other "
        + "files'."
  }

  static func filesBeyondLimit(_ count: Int) -> String {
    "The backup has more apps than are read: \(count) of its entries were skipped."
  }

  private static func entries(_ count: Int) -> String { count == 1 ? "1 entry has" : "\(count) entries have" }
}
