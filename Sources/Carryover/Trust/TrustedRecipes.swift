package import CarryoverSystem

/// The recipe files that a user trusts, by the SHA-256 of their content. Each digest is a file of its own, in a folder
/// outside of any container.
package struct TrustedRecipes: Sendable {
  private let fileSystem: any FileSystem
  private let folder: String?

  /// - Parameter keyPath: the path of the user's key, beside which the folder is; nil if it is unknown, so that nothing
  ///   is trusted.
  package init(fileSystem: any FileSystem, besideKey keyPath: String?) {
    self.fileSystem = fileSystem
    folder = keyPath.map { FilePath.join(FilePath.folder(of: $0), "trusted") }
  }

  /// Whether the user trusts the content with this digest. A file that another user could have written does not count.
  package func contains(_ digest: String) -> Bool {
    guard let path = path(digest), let status = try? fileSystem.status(path) else { return false }
    return status.kind == .regular && status.user == fileSystem.user && status.mode & 0o022 == 0
  }

  /// Trusts a recipe's content. To trust it again changes nothing.
  /// - Throws: `FileSystemError` if the trust cannot be saved, and ``NoPlaceForTrust`` if its folder is unknown.
  package func add(_ recipe: RecipeReference) throws {
    guard let digest = recipe.digest, let path = path(digest) else { throw NoPlaceForTrust() }
    guard !contains(digest) else { return }
    var files = DurableFiles(fileSystem)
    try files.makeFolders(FilePath.folder(of: path))
    try files.writeExclusively(Array("\(recipe.id) version \(recipe.version)\n".utf8), to: path)
  }

  package func remove(_ digest: String) throws -> Bool {
    guard let path = path(digest), try fileSystem.status(path) != nil else { return false }
    try fileSystem.remove(path)
    return true
  }

  private func path(_ digest: String) -> String? {
    SHA256.isHexDigest(digest) ? folder.map { FilePath.join($0, digest) } : nil
  }
}

/// There is no folder in which trust could be saved: neither `XDG_STATE_HOME` nor `HOME` is an absolute path.
package struct NoPlaceForTrust: Error {}
