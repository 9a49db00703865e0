package import PropertyLists

/// A remark on an SDK's file in a container: its kind and its state.
package struct StoreRemark: Hashable, Sendable {
  /// The part of a file that a remark is about.
  package enum Subject: Hashable, Sendable {
    /// The file.
    case file
    /// One of its keys.
    case key
    /// The existence of a marker file, which is not a store.
    case sign
  }

  /// The file's path, relative to the container's root.
  package var path: String
  /// The part of the file that the remark is about.
  package var subject: Subject
  /// The remark in a few words, for a row.
  package var words: String
  /// The remark as sentences without values.
  package var sentence: String
  /// The remark as members of a JSON object: the SDK, the kind of file, its state, counts.
  package var members: [JSONMember]

  package init(path: String, subject: Subject, words: String, sentence: String, members: [JSONMember]) {
    self.path = path
    self.subject = subject
    self.words = words
    self.sentence = sentence
    self.members = members
  }
}
