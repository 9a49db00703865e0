import PropertyLists

/// The files of Convert's SDK in an app's Application Support folder, read and written as the SDK does, and more carefully:
/// what is damaged is set aside.
public struct ConvertFiles: Sendable {
  /// What became of the queue at start.
  public enum Recovery: Hashable, Sendable {
    /// There was none.
    case empty
    /// These events are to be sent.
    case recovered(ConvertQueue)
    /// It is being sent; it was left alone.
    case uploading
    /// It was damaged, and was moved to this path; the SDK starts with none.
    case setAside(path: String)
  }

  private let folder: String
  private let fileSystem: any FileSystem

  /// The files in an Application Support folder.
  public init(applicationSupport folder: String, fileSystem: any FileSystem = POSIXFileSystem()) {
    self.folder = folder
    self.fileSystem = fileSystem
  }

  /// The queue as it was left by the last launch.
  /// - Throws: ``JSONFileError`` where it can be neither read nor set aside.
  public func recoverQueue() throws(JSONFileError) -> Recovery {
    do {
      if try fileSystem.status(path(ConvertNames.uploading)) != nil { return .uploading }
    } catch {
      throw .file(error)
    }
    let file = queueFile
    switch try file.load() {
    case .absent: return .empty
    case .setAside(let path, _): return .setAside(path: path)
    case .value(let value, let bytes):
      do {
        return .recovered(try ConvertQueue(value))
      } catch {
        let aside = file.path + ".corrupt-" + Checksum.text(bytes)
        do {
          try fileSystem.rename(file.path, to: aside, .replacing)
          try fileSystem.synchronizeDirectory(DurableFiles.folder(of: aside))
        } catch {
          throw .file(error)
        }
        return .setAside(path: aside)
      }
    }
  }

  /// The decisions; none where there is no file.
  /// - Throws: ``JSONFileError`` where the file cannot be read or is no JSON, and ``ConvertError`` where it is something
  ///   else. Nothing was changed.
  public func decisions() throws -> ConvertDecisions {
    try decisionsFile.read().map { try ConvertDecisions($0.value) } ?? ConvertDecisions()
  }

  /// Replaces the decisions, atomically.
  /// - Throws: ``JSONFileError``; the old file stands.
  public func save(_ decisions: ConvertDecisions) throws(JSONFileError) { try decisionsFile.save(decisions.value) }

  /// The bytes of the configuration that was cached for a key, verbatim; nil where there is none.
  /// - Throws: ``JSONFileError``.
  public func configuration(sdkKey: String) throws(JSONFileError) -> [UInt8]? {
    try configurationFile(sdkKey).read()?.bytes
  }

  /// Replaces the cached configuration of a key, atomically; the bytes are kept as they are.
  /// - Throws: ``JSONFileError``; the old file stands.
  public func cacheConfiguration(_ bytes: [UInt8], sdkKey: String) throws(JSONFileError) {
    try configurationFile(sdkKey).save(bytes: bytes)
  }

  private var queueFile: JSONFile { JSONFile(path(ConvertNames.queue), fileSystem: fileSystem) }
  private var decisionsFile: JSONFile { JSONFile(folder + "/" + ConvertNames.decisions, fileSystem: fileSystem) }

  private func configurationFile(_ sdkKey: String) -> JSONFile {
    JSONFile(path(ConvertNames.configuration(sdkKey: sdkKey)), fileSystem: fileSystem)
  }

  private func path(_ name: String) -> String { "\(folder)/\(ConvertNames.folder)/\(name)" }
}
