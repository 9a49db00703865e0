import CarryoverSystem
import PropertyLists

extension NameTemplate {
  /// Whether it is the name of an app group, and so of the suite that the group's apps share.
  package var isGroup: Bool { if case .text(let text)? = parts.first { text.hasPrefix("group.") } else { false } }

  /// The place of a group's suite, as in the documentation; none for another suite.
  var groupPaths: [String] { isGroup ? ["AppGroups/\(words)/Library/Preferences/\(words).plist"] : [] }
}

extension Container {
  /// The possible paths of a group's suite, relative to the root; none for another suite. Backups and `extract` name a
  /// group's folder after the group, devices do not.
  func groupPaths(ofSuite template: NameTemplate, _ parameters: [String: String]) -> [String] {
    guard template.isGroup, kind != .propertyList, let own = path(ofSuite: template, parameters) else { return [] }
    let file = FilePath.name(of: own)
    let group = dataPath("AppGroups/\(file.dropLast(NameTemplate.fileExtension.count))/Library/Preferences/\(file)")
    let shared = stores.map(\.path).filter { path in
      path.beginsWithBytes(of: dataPath("Shared/AppGroup/"))
        && path.endsWithBytes(of: "/Library/Preferences/" + file)
    }
    return [group] + shared
  }

  /// Whether a file is in the folder of an app group.
  func isInAppGroup(_ path: String) -> Bool {
    ["AppGroups/", "Shared/AppGroup/"].contains { path.beginsWithBytes(of: dataPath($0)) }
  }
}
