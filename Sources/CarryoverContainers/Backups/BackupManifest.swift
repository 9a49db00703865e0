import Carryover
import CarryoverSystem
import PropertyLists

struct BackupManifest {
  enum Description: Equatable {
    case unencrypted, encrypted, missing
    case damaged(PropertyListError)
  }

  /// Whether the files are encrypted, as far as it is known.
  private(set) var description = Description.missing
  private(set) var productVersion: String?
  private(set) var names: [String: String] = [:]

  /// Reads `Manifest.plist`, which says whether the backup is encrypted, and `Info.plist`. Either may be missing or
  /// damaged.
  init(root: String, fileSystem: any FileSystem, limits: ContainerLimits) throws(ContainerError) {
    let path = PathText.join(root, "Manifest.plist")
    var bytes: [UInt8]?
    do throws(FileSystemError) {
      if try fileSystem.status(path) != nil { bytes = try fileSystem.read(path, limit: limits.fileBytes).bytes }
    } catch {
      throw ContainerError(reading: path, error)
    }
    if let bytes {
      do throws(PropertyListError) {
        let manifest = try PropertyListDocument(bytes: bytes, limits: limits.propertyList(of: bytes.count))
        description = Self.isEncrypted(manifest) ? .encrypted : .unencrypted
        read(manifest)
      } catch {
        description = .damaged(error)
      }
    } else {
      description = .missing
    }
    let info = try? fileSystem.read(PathText.join(root, "Info.plist"), limit: limits.fileBytes).bytes
    if let info { readInfo(info, limits) }
  }

  /// The reason that a backup whose list of files cannot be read is refused; nil if the description gives none.
  func refusal(_ root: String) -> ContainerError? {
    switch description {
    case .unencrypted: nil
    case .encrypted: ContainerError(root, .backup(.encrypted))
    case .missing: ContainerError(root, .backup(.incomplete("Manifest.plist")))
    case .damaged(let error): ContainerError(PathText.join(root, "Manifest.plist"), .corruptPropertyList(error))
    }
  }

  private static func isEncrypted(_ manifest: PropertyListDocument) -> Bool {
    switch manifest.dictionary?["IsEncrypted"] {
    case .boolean(let flag): flag
    case .integer(let number): number != 0
    default: false
    }
  }

  private mutating func read(_ manifest: PropertyListDocument) {
    productVersion = manifest.dictionary?.dictionary("Lockdown")?.text("ProductVersion")
    for entry in manifest.dictionary?.dictionary("Applications")?.entries ?? [] {
      if let path = entry.dictionary?.text("Path") { name(entry.key, Self.name(ofBundleAt: path)) }
    }
  }

  /// An app's name in the App Store is preferred to that of its bundle.
  private mutating func readInfo(_ bytes: [UInt8], _ limits: ContainerLimits) {
    let info = try? PropertyListDocument(bytes: bytes, limits: limits.propertyList(of: bytes.count))
    guard let info = info?.dictionary else { return }
    if productVersion == nil { productVersion = info.text("Product Version") }
    // A malicious file could refer to one long name for every app.
    var left = bytes.count
    for entry in info.dictionary("Applications")?.entries ?? [] {
      guard case .data(let bytes)? = entry.dictionary?["iTunesMetadata"], bytes.count <= left else { continue }
      left -= bytes.count
      guard
        let metadata = try? PropertyListDocument(bytes: bytes, limits: limits.propertyList(of: bytes.count)).dictionary
      else { continue }
      name(entry.key, metadata.text("bundleDisplayName") ?? metadata.text("itemName"))
    }
  }

  private mutating func name(_ bundleID: String, _ name: String?) {
    if let name, !name.isEmpty { names[bundleID] = name }
  }

  private static func name(ofBundleAt path: String) -> String? {
    let name = FilePath.name(of: path)
    return name.hasSuffix(".app") ? String(name.dropLast(4)) : nil
  }
}

extension PropertyListDictionary {
  fileprivate func dictionary(_ key: String) -> PropertyListDictionary? {
    if case .dictionary(let dictionary)? = self[key] { dictionary } else { nil }
  }

  fileprivate func text(_ key: String) -> String? {
    if case .string(let text)? = self[key] { text } else { nil }
  }
}

extension PropertyListDictionary.Entry {
  fileprivate var dictionary: PropertyListDictionary? {
    if case .dictionary(let dictionary) = value { dictionary } else { nil }
  }
}
