public import CarryoverSystem
package import PropertyLists

/// A run as the history of its container shows it.
public struct RunSummary: Identifiable, Hashable, Sendable {
  /// The run's id, also the name of its folder under the state directory.
  public var id: String
  /// What it was for.
  public var kind: RunKind
  /// When it began.
  public var moment: Moment
  /// Which recipe it followed; the first of several.
  public var recipe: RecipeReference
  /// The recipes beside it that it followed.
  package var otherRecipes: [RecipeReference] = []
  /// The version of the tool that made it.
  package var tool: String
  /// The files it changed, relative to the container's root.
  public var files: [String]
  /// What became of each field, in the order of the run.
  package var fields: [RunField]
  /// The run it took back, for a rollback.
  package var rolledBack: String?
  /// Whether it still holds.
  package var standing: RunStanding
  /// Why it does not count as the user's own; nil where this user's Carryover made it.
  package var foreign: ForeignReason?
  /// The folder that holds its files as they were before it; nil once that was pruned.
  package var backup: String?
  /// What its folder takes, in bytes.
  package var size: Int
  /// What the copies of its files take of that, in bytes: what pruning it would free.
  package var copies: Int

  /// A summary from its parts.
  package init(
    id: String, kind: RunKind, moment: Moment, recipe: RecipeReference, tool: String, files: [String],
    fields: [RunField], rolledBack: String? = nil, standing: RunStanding,
    foreign: ForeignReason? = nil, backup: String?, size: Int, copies: Int = 0
  ) {
    self.id = id
    self.kind = kind
    self.moment = moment
    self.recipe = recipe
    self.tool = tool
    self.files = files
    self.fields = fields
    self.rolledBack = rolledBack
    self.standing = standing
    self.foreign = foreign
    self.backup = backup
    self.size = size
    self.copies = copies
  }
}

extension RunSummary {
  /// All recipes that it followed.
  package var recipes: [RecipeReference] { [recipe] + otherRecipes }
}

/// Whether a run still holds. The raw value is the word in JSON output.
package enum RunStanding: String, Sendable, CaseIterable {
  /// Nothing of it was taken back.
  case holds
  /// Some of its keys were taken back by a later run that holds.
  case partlyTakenBack = "partly-taken-back"
  /// All it wrote was taken back by later runs that hold.
  case takenBack = "taken-back"
  /// Its process ended before it did, and it needs recovery.
  case interrupted
  /// It came with the container: what its record says is not known to be so, and nothing is done because of it.
  case cameAlong = "came-along"
}

/// What became of one field in a run, for showing it.
package struct RunField: Identifiable, Hashable, Sendable {
  /// The key and its file.
  package var id: KeyPlace
  /// The id of the recipe whose field it is; nil in a run of one recipe.
  package var recipe: String?
  /// What was decided, as the record's word; nil where nothing had to be.
  package var decision: String?
  /// What the key held before; nil where it was absent, or where the value was too long for the record.
  package var before: PropertyListValue?
  /// What the run left; nil as above.
  package var after: PropertyListValue?
  /// How it ended.
  package var outcome: Outcome
  /// Whether a later run that holds has taken it back.
  package var isTakenBack: Bool

  /// A field from its parts.
  package init(
    id: KeyPlace, recipe: String? = nil, decision: String? = nil, before: PropertyListValue?, after: PropertyListValue?,
    outcome: Outcome,
    isTakenBack: Bool = false
  ) {
    self.id = id
    self.recipe = recipe
    self.decision = decision
    self.before = before
    self.after = after
    self.outcome = outcome
    self.isTakenBack = isTakenBack
  }
}

extension RunField {
  /// `RECIPE/FIELD` in a run of several recipes, otherwise the key.
  package var name: String { FieldOwner.name(id.key, of: recipe) }
}
