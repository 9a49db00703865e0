import Carryover
import CarryoverRecipes
import CarryoverVendors

/// The reader of recipe files, and what makes a recipe of them.
enum RecipeCheck {
  static func check(_ bytes: [UInt8]) -> Bool {
    let (file, issues) = RecipeFile.read(bytes, vendors: vendors)
    let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
    for issue in issues {
      require((1...lines + 1).contains(issue.place.line) && issue.place.column >= 1, "a place outside of the file")
      require(!issue.message.isEmpty && !issue.code.words.whatToDo.isEmpty, "an issue without a sentence")
    }
    let hasError = issues.contains { $0.code.severity == .error }
    require((file == nil) == hasError, "a file with an error, or none without an issue")
    require(RecipeFile.read(bytes, vendors: vendors).issues == issues, "other issues the second time")
    return file != nil || !hasError
  }
}
