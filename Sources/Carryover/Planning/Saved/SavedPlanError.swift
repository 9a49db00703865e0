package import CarryoverSystem
package import PropertyLists

/// The reason that a saved plan cannot be read, applied or written. Nothing was changed.
package enum SavedPlanError: Error, Hashable, Sendable, CustomStringConvertible {
  case damaged(path: String, DocumentDamage)
  case otherContainer(saved: ContainerIdentity, found: ContainerIdentity)
  case otherRecipe(saved: RecipeReference, present: RecipeReference)
  case unknownRecipe(RecipeReference)
  case otherTarget(saved: String?, present: String?)
  case stale([KeyPlace])
  case differs([Field.ID])
  case file(FileSystemError)
  case exists(path: String)
  case occupied(path: String, FileKind)
  case reserved(path: String, ReservedPlace)
  case notSavable(path: String, DocumentDamage)

  /// The problem and what to do, in whole sentences. Text from a file is escaped for display.
  package var description: String {
    let unchanged = if case .file = self { "" } else { "Nothing was changed. " }
    return happened + " " + unchanged + remedy
  }

  private var happened: String {
    switch self {
    case .damaged(let path, let damage): "\(DisplayText.quoted(path)) is not a valid saved plan: \(damage.phrase())."
    case .otherContainer(let saved, let found):
      "The plan was made from another container: it names \(saved.phrase), but this is \(found.phrase)."
    case .otherRecipe(let saved, let present):
      "The plan was made by another version of the recipe: \(saved.phrase), but this is \(present.phrase)."
    case .unknownRecipe(let saved) where saved.digest != nil: "The plan follows a recipe file: \(saved.phrase)."
    case .unknownRecipe(let saved): "The plan follows a recipe that this version does not have: \(saved.phrase)."
    case .otherTarget(let saved, let present):
      "The plan names the file \(Self.file(saved)), but its own options name \(Self.file(present))."
    case .stale(let places): "The plan is stale (\(FindingCode.liveStoreChanged.rawValue)). \(Self.changes(places))"
    case .differs(let fields):
      "The saved plan is not what Carryover plans from the same values for \(Self.listed(fields)): the file was edited, or "
        + "another version of Carryover made it."
    case .file(let error): error.description
    case .exists(let path): "\(DisplayText.quoted(path)) already exists."
    case .occupied(let path, .symbolicLink):
      "\(DisplayText.quoted(path)) is a symbolic link, and links are not followed."
    case .occupied(let path, .regular): "\(DisplayText.quoted(path)) already exists and is not a saved plan."
    case .occupied(let path, .directory): "\(DisplayText.quoted(path)) is a folder."
    case .occupied(let path, .other): "\(DisplayText.quoted(path)) is not a regular file."
    case .reserved(let path, let place): "The plan cannot be saved as \(DisplayText.quoted(path)): \(place.phrase)."
    case .notSavable(let path, let damage):
      "The plan cannot be saved as \(DisplayText.quoted(path)): \(damage.phrase())."
    }
  }

  private var remedy: String {
    switch self {
    case .damaged(_, .laterSchema): "Use that version, or make the plan again."
    case .unknownRecipe(let saved) where saved.digest != nil: "Name the file with --recipe."
    case .damaged, .unknownRecipe, .otherTarget, .stale, .differs: "Make the plan again."
    case .otherContainer: "Name the container the plan was made from."
    case .otherRecipe: "Make the plan again with this version, and review it."
    case .file, .occupied, .reserved: "Choose another place for the plan."
    case .exists: "Choose another name, or replace it with --force."
    case .notSavable: "Apply the container itself with the same options."
    }
  }

  private static func file(_ path: String?) -> String { path.map(DisplayText.quoted) ?? "no file" }

  private static func changes(_ places: [KeyPlace]) -> String {
    let stores = places.map(\.file).distinct()
    let keys = Dictionary(grouping: places) { StringByBytes($0.file) }
    let parts = stores.prefix(most).map { store in
      // A file that counts as a whole has no key.
      let named = (keys[store] ?? []).map(\.key).filter { !$0.isEmpty }
      return DisplayText.quoted(store) + (named.isEmpty ? "" : " in " + listed(named))
    }
    let rest = stores.count > most ? " and \(stores.count - most) more stores" : ""
    return "These changed after it was made: " + parts.joined(separator: "; ") + rest + "."
  }

  private static func listed(_ names: [String]) -> String {
    let head = names.prefix(most).map { DisplayText.harmless(ValueWording.cut($0, to: 200)) }.joined(separator: ", ")
    return names.count > most ? "\(head) and \(names.count - most) more" : head
  }

  /// More than the number of keys in any recipe.
  private static let most = 64
}

package enum ReservedPlace: Hashable, Sendable {
  case container
  case stateFolder
  case target

  fileprivate var phrase: String {
    switch self {
    case .container: "that place is in the plan's container"
    case .stateFolder: "that place is in the folder for the container's backups and records"
    case .target: "that is the file that the plan writes"
    }
  }
}

package enum DocumentDamage: Error, Hashable, Sendable {
  case tooLong(limit: Int)
  case notJSON(JSONError)
  case otherForm(String?)
  case laterSchema(String)
  case redacted
  /// A member is missing or not valid: its name, after those of the enclosing members.
  case member(String)
  case tooMany(String, Int, limit: Int)

  func phrase(schema expected: String = SavedPlan.schema) -> String {
    switch self {
    case .tooLong(let limit): "it is longer than \(limit) bytes"
    case .notJSON(let error):
      "it is not valid JSON (\(DisplayText.harmless(error.reason)), line \(error.line), column \(error.column))"
    case .otherForm(let schema?): "its schema is \(DisplayText.quoted(ValueWording.cut(schema))), not “\(expected)”"
    case .otherForm(nil): "it has no schema “\(expected)”"
    case .laterSchema(let schema): "its schema is \(DisplayText.quoted(ValueWording.cut(schema))), from a later version"
    case .redacted: "it is redacted, and its values are masked"
    case .member(let member): "its member \(DisplayText.quoted(member)) is missing or not valid"
    case .tooMany(let member, let count, let limit):
      "its member \(DisplayText.quoted(member)) has \(count) items; \(limit) are allowed"
    }
  }
}

extension ContainerIdentity {
  fileprivate var phrase: String {
    let form =
      switch kind {
      case .xcappdata: "an Xcode download"
      case .folder: "a data folder"
      case .propertyList: "a property list"
      }
    return form + (bundleID.map { " of \(DisplayText.harmless($0))" } ?? " of an unknown app")
  }
}

extension RecipeReference {
  fileprivate var phrase: String {
    let file = digest.map { " (SHA-256 \(DisplayText.harmless(String($0.prefix(8)))))" } ?? ""
    return "\(DisplayText.harmless(ValueWording.cut(id))) version \(version)" + file
  }
}
