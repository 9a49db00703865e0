package import PropertyLists

/// What a file that an SDK has left in a container is, and how it stands, for whoever looks at it.
package struct StoreRemark: Hashable, Sendable {
  /// What of a file a remark is about.
  package enum Subject: Hashable, Sendable {
    /// The file.
    case file
    /// One of its keys.
    case key
    /// That the file is there: it is a sign and no store.
    case sign
  }

  /// The file's path, relative to the container's root.
  package var path: String
  /// What of the file it is about.
  package var subject: Subject
  /// The remark in a few words, for a row.
  package var words: String
  /// The remark as sentences without values.
  package var sentence: String
  /// The same as members of an object, for JSON output: the SDK, what the file is, its state, counts.
  package var members: [JSONMember]

  package init(path: String, subject: Subject, words: String, sentence: String, members: [JSONMember]) {
    self.path = path
    self.subject = subject
    self.words = words
    self.sentence = sentence
    self.members = members
  }
}
