import Carryover
import CarryoverSystem
import CarryoverTerminal

extension Screen {
  static let extraction = Screen("extraction", "Extraction")
}

extension ScreenContent<ReviewState> {
  /// Asks for the folder to extract a read-only container to, where it can be migrated.
  static var extraction: ScreenContent {
    line(.extraction, prompt: "extract to: ").with {
      $0.note = { state in
        let form = state.wrapper?.form.rawValue ?? ""
        return (
          "The path must not exist yet. The \(form) is not changed; the preview reopens in the new folder.", false
        )
      }
      $0.keys = [
        ReviewKey(
          [.enter], "extract", "Extract the container to this folder, and preview the change there.",
          in: [.extraction], .typing, hint: 1, name: "accept",
          unless: { $0.stack.typing?.text.isEmpty == false ? nil : "Type the path of a new folder." }
        ) { $0.extract() },
        .cancel(in: [.extraction], "Cancel: nothing is extracted."),
      ]
    }
  }
}

extension ReviewState {
  /// Asks for the folder; by default one beside the archive or the backup.
  mutating func askForFolder() {
    // The line shows no masked name either.
    let place = options.redaction == nil ? extractionPlace : nil
    stack.typing = LineEditor(.extraction, text: place ?? "")
  }

  private var extractionPlace: String? {
    guard let wrapper, let container else { return nil }
    let name = FilePath.name(of: container.root)
    // A container that is not in a folder of the archive has the archive's name.
    let isWhole = container.root.hasSameBytes(as: wrapper.path)
    return FilePath.join(FilePath.folder(of: wrapper.path), isWhole ? String(name.prefix { $0 != "." }) : name)
  }

  fileprivate mutating func extract() {
    guard let path = stack.typing?.text, wrapper != nil else { return emit(.bell) }
    stack.typing = nil
    waiting = .extraction
    emit(.extract(path))
  }

  /// Whether the preview is only of the fields in a range or a filter.
  package var previewsPart: Bool { pages.preview.scope != nil }

  /// Continues the review of the archive in the extracted folder, with its decisions: at the preview, unless that of the
  /// archive was only of some fields.
  package mutating func resume(_ kept: KeptReview, ofPart isPart: Bool, saying words: String) {
    use(kept)
    if !isPart { open(.preview) }
    message = (isPart ? "The range or filter is cleared: choose the fields again. " : "") + words
    refresh()
  }
}
