import Carryover
import CarryoverVendors

extension LinearVocabulary {
  /// What can be answered while fields are reviewed.
  static let fields = LinearAnswers<LinearCommand, LinearReview>(deciding + moving + seeing + applying)

  private static let deciding: [LinearAnswer<LinearCommand, LinearReview>] = [
    LinearAnswer(
      "confirm", "c", does: "Decides for the proposal.", .review(.confirm), unless: { $0.obstacle(to: .confirm) }),
    LinearAnswer(
      "skip", "s", does: "Decides to write nothing for the field.", .review(.skip),
      unless: { $0.obstacle(to: .skip) }),
    LinearAnswer(
      "keep", "k", does: "Decides for what the target holds now.", .review(.keep), unless: { $0.obstacle(to: .keep) }),
    LinearAnswer(
      "edit", "e", does: "Asks for another value, and checks that it fits.", .edit,
      unless: { $0.obstacle(to: .edit) }),
    LinearAnswer(
      "take", "t", argument: "N", needed: true, "Decides for one of the field's other values, by its number.",
      meaning: { .take($0) },
      unless: { $0.state.selected?.alternatives.isEmpty == false ? nil : "There is no other value to take." }),
    LinearAnswer(
      "all clean", does: "Confirms every field that is ready, in one step that undo takes back.", .allClean,
      unless: { $0.state.tally[.ready] == 0 ? "No field is ready and undecided." : nil }),
    LinearAnswer(
      "many", argument: "[N]", "Reads the ways to decide many fields at once; with a number, takes one of them.",
      meaning: { .many($0) }, unless: { $0.state.selected == nil ? Bindings.noField : nil }),
    LinearAnswer(
      "undo", "u", does: "Takes the last decision back.", .review(.undo), unless: { $0.obstacle(to: .undo) }),
    LinearAnswer("redo", does: "Takes the last undo back.", .review(.redo), unless: { $0.obstacle(to: .redo) }),
  ]

  private static let moving: [LinearAnswer<LinearCommand, LinearReview>] = [
    LinearAnswer(
      "next", "n", does: "Goes to the next field to decide.", .review(.nextToDecide),
      unless: { $0.obstacle(to: .nextToDecide) }),
    LinearAnswer(
      "previous", "p", "back", "b", does: "Goes to the previous field to decide.", .review(.previousToDecide),
      unless: { $0.obstacle(to: .previousToDecide) }),
    LinearAnswer("down", "j", does: "Goes to the field after this one, decided or not.", .down),
    LinearAnswer("up", does: "Goes to the field before this one, decided or not.", .up),
    LinearAnswer(
      "go", "g", argument: "N or NAME", needed: true,
      "Goes to a field by its number or by a part of its name. A number alone does too.", meaning: { .go($0) }),
    LinearAnswer("again", does: "Reads the field again.", .again),
    LinearAnswer(
      "list", "l", argument: "[STATE or all]",
      "Reads the fields a line each, twenty at a time; those in a state, such as list to decide; or all at once.",
      meaning: { .list($0) }),
    LinearAnswer(
      "more", "m", does: "Reads on where the list ended.", .more,
      unless: { $0.hasMore ? nil : "No list has more to read." }),
    LinearAnswer(
      "find", "f", argument: "WORDS", needed: true,
      "Lists the fields that meet every word: a part of a name or value, or such as is:edited, has:warning.",
      meaning: { .find($0) }),
    LinearAnswer(
      "filter", argument: "[WORDS]",
      "Leaves only the fields to go through that meet every word, as find has them. filter alone brings all back.",
      meaning: { .filter($0) }),
  ]

  private static let seeing: [LinearAnswer<LinearCommand, LinearReview>] = [
    LinearAnswer(
      "details", "d", does: "Reads all about the field: values in full, every step, four readings.", .details,
      unless: { $0.state.selected == nil ? Bindings.noField : nil }),
    LinearAnswer(
      "explain", "x", argument: "[CODE]", "Explains the field's findings, or one by its code.",
      meaning: { .explain($0) }),
    LinearAnswer("warnings", "w", does: "Reads every finding with what to do about it.", .warnings),
    LinearAnswer("left behind", does: "Reads the keys that are left behind, each with the reason.", .leftBehind),
    LinearAnswer(
      "stores", does: "Looks into the stores, from the field's own key on.", .stores,
      unless: { $0.container == nil ? "The stores were not given." : nil }),
    LinearAnswer(
      "recipes", argument: "[N]", "Reads which recipes there are, or one of them rule by rule.",
      meaning: { .recipes($0) }),
    LinearAnswer("status", does: "Reads how many fields are in which state, and what is in the way.", .status),
    LinearAnswer(
      "log", argument: "[all]", "Reads what was done last, file operations too; or all that was done.",
      meaning: { .log($0) }),
  ]

  private static let applying: [LinearAnswer<LinearCommand, LinearReview>] = [
    LinearAnswer("preview", does: "Reads the exact change; nothing is written.", .preview),
    LinearAnswer(
      "apply", "a", does: "Reads the change unless it was just read, then asks for yes in full before it writes.",
      .apply, unless: { $0.applyObstacle }),
    LinearAnswer("history", does: "Reads the runs of the container, each to be looked at and taken back.", .history),
    LinearAnswer(
      "roll back", does: "Reads what taking the last run back would do, and asks.", .rollBack,
      unless: { $0.obstacle(to: .askForLastRun) }),
    LinearAnswer(
      "help", "h", "?", argument: "[WORD]", "Reads the answers, or those that have to do with a word.",
      meaning: { .help($0) }),
    LinearAnswer("quit", "q", does: "Leaves; asks first where something is undecided or not applied.", .quit),
  ]
}
