import PropertyLists

extension Redaction {
  /// Learns whom the file of Convert's decisions is about. Its entries are called `<account>-<project>-<visitor>`, so the
  /// visitors' ids are no values, and may look like anything: what is no such name is taken for an id as a whole. A file
  /// that is not of the SDK's form is read as far as it goes.
  mutating func learnVisitors(of store: Store) {
    guard store.name == ConvertNames.decisions, case .json(let json) = store.content else { return }
    let entries = json.value["store"]?.members?.map(\.name) ?? []
    let order = json.value["order"]?.elements?.compactMap(\.stringValue) ?? []
    for key in entries + order where subjects[key] == nil {
      guard !key.isEmpty else { continue }
      guard let subject = ConvertDecisions.Subject(key: key) else {
        learn([.propertyList(.string(key), .of(.id))])
        continue
      }
      learn([.propertyList(.string(subject.visitor), .of(.id))])
      subjects[key] = subject
      isStale = true
    }
  }

  /// The name of an entry as it is shown: account and project, and the visitor's mask; nil for any other text.
  func subject(_ text: String) -> String? { subjects[text].map { "\($0.project)-\(mask(of: $0).text())" } }

  /// The names of entries, to be found in text.
  func subjectEntries() -> [SensitiveIndex.Entry] {
    subjects.flatMap { key, subject in
      let replacement = "\(subject.project)-\(mask(of: subject).text())"
      return [key, DisplayText.escaped(key)].map {
        SensitiveIndex.Entry(
          bytes: Array($0.utf8), replacement: .text(replacement), edges: .any, isTelling: true, precedence: .subject)
      }
    }
  }

  private func mask(of subject: ConvertDecisions.Subject) -> Mask {
    mask(Array(subject.visitor.utf8), kind: .id) ?? Mask(kind: .id)
  }
}
