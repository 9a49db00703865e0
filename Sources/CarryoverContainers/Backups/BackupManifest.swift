import Carryover
import CarryoverSystem
import PropertyLists

/// The content of a backup's two property lists.
struct BackupManifest {
  /// Whether the files are encrypted.
  let isEncrypted: Bool
  /// The version of the device's iOS.
  private(set) var productVersion: String?
  /// The names of the apps, by bundle identifier.
  private(set) var names: [String: String] = [:]

  /// Reads `Manifest.plist`, which says whether the backup is encrypted, and `Info.plist`, which may be missing or
  /// damaged.
  init(root: String, fileSystem: any FileSystem, limits: ContainerLimits) throws(ContainerError) {
    let path = PathText.join(root, "Manifest.plist")
    let bytes: [UInt8]
    do throws(FileSystemError) {
      bytes = try fileSystem.read(path, limit: limits.fileBytes).bytes
    } catch {
      throw ContainerError(reading: path, error)
    }
    let manifest: PropertyListDocument
    do throws(PropertyListError) {
      manifest = try PropertyListDocument(bytes: bytes, limits: limits.propertyList(of: bytes.count))
    } catch {
      throw ContainerError(path, .corruptPropertyList(error))
    }
    isEncrypted =
      switch manifest.dictionary?["IsEncrypted"] {
      case .boolean(let flag): flag
      case .integer(let number): number != 0
      default: false
      }
    if isEncrypted { return }
    productVersion = manifest.dictionary?.dictionary("Lockdown")?.text("ProductVersion")
    for entry in manifest.dictionary?.dictionary("Applications")?.entries ?? [] {
      if let path = entry.dictionary?.text("Path") { name(entry.key, Self.name(ofBundleAt: path)) }
    }
    let info = try? fileSystem.read(PathText.join(root, "Info.plist"), limit: limits.fileBytes).bytes
    if let info { readInfo(info, limits) }
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

  /// The name of an app's bundle without `.app`.
  private static func name(ofBundleAt path: String) -> String? {
    let name = PathText.lastComponent(path)
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
