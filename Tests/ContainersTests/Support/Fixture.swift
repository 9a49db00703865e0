import Carryover
import CarryoverContainers
import CarryoverSystem
import Foundation

/// A folder of its own on the disk, removed when the test is done with it.
final class Fixture {
  /// The folder's path, without links in it.
  let path: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(component: "containers-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.path(percentEncoded: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func callAsFunction(_ relative: String) -> String { relative.isEmpty ? path : path + "/" + relative }

  func write(_ relative: String, _ bytes: some Sequence<UInt8>) throws {
    try makeFolder((relative as NSString).deletingLastPathComponent)
    try Data(bytes).write(to: URL(filePath: self(relative)))
  }

  func write(
    _ relative: String, plist: [String: Any], format: PropertyListSerialization.PropertyListFormat = .binary
  ) throws {
    try write(relative, PropertyListSerialization.data(fromPropertyList: plist, format: format, options: 0))
  }

  func makeFolder(_ relative: String) throws {
    try FileManager.default.createDirectory(atPath: self(relative), withIntermediateDirectories: true)
  }

  func link(_ relative: String, to destination: String) throws {
    try makeFolder((relative as NSString).deletingLastPathComponent)
    try FileManager.default.createSymbolicLink(atPath: self(relative), withDestinationPath: destination)
  }

  func open(_ relative: String = "", _ options: ContainerOptions = ContainerOptions()) throws(ContainerError)
    -> Container
  {
    try ContainerOpener(fileSystem: POSIXFileSystem()).open(self(relative), options: options)
  }

  /// Why something in the folder cannot be opened; nil when it can.
  func refusal(_ relative: String = "", _ options: ContainerOptions = ContainerOptions()) -> ContainerError.Kind? {
    do throws(ContainerError) {
      _ = try open(relative, options)
      return nil
    } catch {
      return error.kind
    }
  }

  /// The paths of the containers that something in the folder holds; nil when it is refused otherwise, or opened.
  func held(_ relative: String = "") -> [String]? {
    if case .holdsContainers(let candidates, _)? = refusal(relative) { candidates.map(\.path) } else { nil }
  }

  func listing() throws -> [String: String] {
    var result: [String: String] = [:]
    for relative in try FileManager.default.subpathsOfDirectory(atPath: path) + [""] {
      let attributes = try FileManager.default.attributesOfItem(atPath: self(relative))
      let time = (attributes[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
      result[relative] =
        "\(attributes[.type] ?? "") \(attributes[.size] ?? "") \(attributes[.posixPermissions] ?? "") \(time)"
    }
    return result
  }
}

extension Fixture {
  /// An Xcode package as the legacy SDK leaves it.
  func makePackage(_ name: String = "Shop.xcappdata", bundleID: String? = "com.acme.shop") throws {
    if let bundleID { try write(name + "/AppDataInfo.plist", plist: ["CFBundleIdentifier": bundleID]) }
    try makeDataContainer(name + "/AppData")
  }

  /// An app's data container as the legacy SDK leaves it.
  func makeDataContainer(_ name: String) throws {
    try write(name + "/Library/Preferences/com.acme.shop.plist", plist: ["rl_anonymous_id": "a", "theme": "dark"])
    try write(name + "/Library/rsDefaultsPersistence.plist", plist: ["rl_anonymous_id": "a"], format: .xml)
    try makeFolder(name + "/Documents")
  }
}

extension Store {
  var isJSON: Bool { if case .json = content { true } else { false } }
}

extension Container {
  /// The sentence of a store that could not be read; nil when it was read or is absent.
  func reason(_ path: String) -> String? {
    if case .unreadable(let sentence) = store(path)?.content { sentence } else { nil }
  }
}
