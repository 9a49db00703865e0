import Carryover
import CarryoverSystem

extension RecipeDecoder {
  func sources(_ node: RecipeNode?) -> [SourceStore] {
    var places: [String: TextPlace] = [:]
    return (node?.items(log) ?? []).compactMap { item in
      guard let source = source(item) else { return nil }
      for path in source.places {
        if let first = places.updateValue(item.place, forKey: path) {
          log.report(.sameFile, item.place, "\(DisplayText.quoted(path)) is already in line \(first.line).")
        }
      }
      return source
    }
  }

  /// A file to read: `{suite: NAME}`, `{plist: PATH}`, `{plist: [PATH, …]}`, `{json: PATH}`, `{file: PATH, as: KEY, or-text: true}`,
  /// `{archive: PATH}`, `{archive: PATH, as: KEY}` or `{sqlite: PATH, table: NAME, key: COLUMN, value: COLUMN}`.
  private func source(_ node: RecipeNode) -> SourceStore? {
    guard var map = RecipeMap(node, of: "A file to read", log) else { return nil }
    defer { map.end() }
    if let suite = map.take("suite") { return self.suite(suite).map(SourceStore.suite) }
    if let plist = map.take("plist") { return .plist(paths(plist)) }
    if let json = map.take("json") { return sourcePath(json).map(SourceStore.json) }
    if let file = map.take("file") {
      let paths = paths(file)
      let orText = map.flag("or-text")
      return map.require("as").flatMap(key).map { .file(paths, as: $0, orText: orText) }
    }
    if let archive = map.take("archive") {
      let paths = paths(archive)
      return .archive(paths, as: map.take("as").flatMap(key))
    }
    if let database = map.take("sqlite") {
      let table = map.require("table")?.text(log)
      let key = map.text("key") ?? "key"
      let value = map.text("value") ?? "value"
      guard let path = sourcePath(database), let table else { return nil }
      return .table(path, KeyValueTable(table, key: key, value: value))
    }
    return log.refuse(.missingKey, node.place, "Name the file with suite, plist, json, file, archive or sqlite.")
  }

  private func paths(_ node: RecipeNode) -> [NameTemplate] {
    var items = [node]
    if case .list(let several) = node.content { items = several }
    let paths = items.compactMap { sourcePath($0) }
    if !paths.isEmpty, paths.allSatisfy({ $0.words.beginsWithBytes(of: Self.caches) }) {
      log.report(.purgeablePath, node.place, "iOS may have removed this file: it is in Library/Caches.")
    }
    return paths
  }

  /// What to write: `{suite: NAME}`, `{plist: PATH}`, `{archive: PATH}` or `{json-files: FOLDER}`.
  func target(_ node: RecipeNode) -> RecipeTarget? {
    guard var map = RecipeMap(node, of: "The file to write", log) else { return nil }
    defer { map.end() }
    if let suite = map.take("suite") {
      if suite.content == .text(RecipeFile.placeholder) {
        return log.refuse(
          .placeholder, suite.place, "Name the suite that the new SDK reads, such as ${bundle-id}.acme.")
      }
      guard let name = self.suite(suite) else { return nil }
      guard !name.isGroup else {
        return log.refuse(.badPath, suite.place, "A recipe can read the suite of an app group, but not write it.")
      }
      return own(.suite(name), suite.place)
    }
    if let plist = map.take("plist") { return targetPath(plist).flatMap { own(.plist($0), plist.place) } }
    if let archive = map.take("archive") { return archivePath(archive).flatMap { own(.archive($0), archive.place) } }
    if let folder = map.take("json-files") {
      return targetFolder(folder).flatMap { own(.jsonFiles(in: $0), folder.place) }
    }
    return log.refuse(.missingKey, node.place, "Name the target: suite, plist, archive or json-files.")
  }

  private func own(_ target: RecipeTarget, _ place: TextPlace) -> RecipeTarget? {
    guard target.belongsToSystem else { return target }
    return log.refuse(
      .systemTarget, place, "This file is the system's or hidden. A recipe writes only an app's own files.")
  }

  /// What a run may create, here and below: see `RunScope`.
  private func targetPath(_ node: RecipeNode) -> NameTemplate? {
    let rule =
      "A recipe writes a .plist file directly in Library, Library/Preferences or Library/Caches, or below "
      + "Library/Application Support."
    return path(node, orSay: rule) { path, parts in
      Self.hasStores(parts.dropLast()) && path.words.hasSuffix(".plist") && Self.areVisible(parts)
    }
  }

  private func archivePath(_ node: RecipeNode) -> NameTemplate? {
    let rule =
      "A recipe writes a keyed archive directly in Library/Caches, under a name without a dot or a parameter, or in a "
      + "folder below Library/Application Support, under a name that does not end in .plist."
    let found = path(node, orSay: rule) { path, parts in
      let isInCaches = parts.count == 3 && path.words.beginsWithBytes(of: Self.caches)
      return (parts.starts(with: ["Library", "Application Support"]) && parts.count > 3 || isInCaches)
        && Self.areVisible(parts) && !path.words.hasSuffix(".plist")
        && (!isInCaches
          || path.parts.allSatisfy { if case .text(let text) = $0 { !text.contains(".") } else { false } })
    }
    if let found, found.words.beginsWithBytes(of: Self.caches) {
      log.report(.purgeablePath, node.place, "iOS may remove this file: it is in Library/Caches.")
    }
    return found
  }

  private func targetFolder(_ node: RecipeNode) -> NameTemplate? {
    path(node, orSay: "A recipe writes JSON files in a folder below Library/Application Support.") { _, parts in
      parts.starts(with: ["Library", "Application Support"]) && parts.count > 2 && Self.areVisible(parts)
    }
  }

  private static func areVisible(_ parts: [String]) -> Bool { !parts.contains { $0.beginsWithBytes(of: ".") } }

  func checkFiles(_ rules: [FieldRule], of target: RecipeTarget, _ place: TextPlace) {
    guard target.isFolder else { return }
    for rule in rules {
      let name = DisplayText.quoted(rule.target)
      let isFileName =
        !rule.target.utf8.contains(FilePath.slash) && !rule.target.beginsWithBytes(of: ".")
        && !rule.target.hasSuffix(".plist") && !rule.target.contains("${") && rule.target.utf8.count <= 200
      if !isFileName { log.report(.badPath, place, "The key \(name) cannot be the name of a JSON file.") }
      if rule.form.kind == .data { log.report(.wrongForm, place, "\(name) is data, which JSON cannot express.") }
    }
  }

  func suite(_ node: RecipeNode) -> NameTemplate? {
    guard let text = node.text(log) else { return nil }
    guard !text.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 }), !text.hasSuffix(".plist") else {
      return log.refuse(.badPath, node.place, "A suite is named without its folder and without “.plist”.")
    }
    return template(text, node.place)
  }

  private static let caches = "Library/Caches/"

  private static func hasStores(_ folders: ArraySlice<String>) -> Bool {
    folders == ["Library"] || folders == ["Library", "Preferences"] || folders == ["Library", "Caches"]
      || folders.starts(with: ["Library", "Application Support"])
  }

  /// A path in a folder whose files are read when a container is opened.
  /// - Parameter anyCache: whether the path may be that of a file in any folder of the caches, which is only named.
  func sourcePath(_ node: RecipeNode, orInCaches anyCache: Bool = false) -> NameTemplate? {
    let rule =
      "A recipe reads files directly in Library, Library/Preferences or Library/Caches, or below "
      + "Library/Application Support or Documents."
    return path(node, orSay: rule) { path, parts in
      Self.hasStores(parts.dropLast()) || parts.dropLast().first == "Documents"
        || anyCache && path.parts.count == 1 && parts.count == 4 && parts.starts(with: ["Library", "Caches", "*"])
          && parts.last?.contains("*") == false
    }
  }

  private func path(
    _ node: RecipeNode, orSay sentence: String, where isValid: (NameTemplate, [String]) -> Bool
  ) -> NameTemplate? {
    guard let path = path(node) else { return nil }
    if isValid(path, FilePath.components(path.words)) { return path }
    return log.refuse(.badPath, node.place, sentence)
  }

  /// A path of a file in a test: in the app's data container, or in the folder of an app group.
  func givenPath(_ node: RecipeNode) -> NameTemplate? {
    guard let text = node.text(log) else { return nil }
    let parts = FilePath.components(text, omittingEmpty: false)
    guard parts.count > 2, parts[0] == "AppGroups", parts[1].beginsWithBytes(of: "group."), !parts[1].utf8.contains(0)
    else { return path(node) }
    return path(RecipeNode(content: .text(parts[2...].joined(separator: "/")), place: node.place))
  }

  func path(_ node: RecipeNode) -> NameTemplate? {
    guard let text = node.text(log) else { return nil }
    let parts = FilePath.components(text, omittingEmpty: false)
    let isInside =
      ["Library", "Documents"].contains(parts[0]) && parts.count > 1
      && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." } && !text.utf8.contains(0)
    guard isInside else {
      return log.refuse(
        .badPath, node.place, "A path begins with Library/ or Documents/, and has no “..” and no empty part.")
    }
    return template(text, node.place)
  }
}
