/// What is known about the findings on what only the beta SDK 2 leaves.
extension Explanation {
  static let v2AnonymousIDNotStored = Explanation(
    title: "the beta SDK 2 does not store its anonymous id",
    happens: """
      The beta SDK 2 sends the device's vendor id (identifierForVendor), in lower case, as its anonymous id; on macOS \
      the MAC address. It stores the id nowhere, so it is in no container.
      """,
    legacyReads: "The legacy SDK asks the system for the id whenever it starts.",
    guideSays: "The guide for the beta says that the id is not stored anywhere.",
    helperWrites: """
      The helper writes the vendor's id of whatever device it runs on: the same one on the user's own device, another \
      after a restore to a new one or once all apps of the vendor were removed.
      """,
    weWrite: """
      Carryover proposes nothing and asks. An id that the Objective-C SDK or the app has stored is offered, though \
      events of the beta were not sent under it.
      """,
    whatToDo: """
      Give the id with --set anonymous_id=ID if the events on the server tell it. Skip the field otherwise: the new SDK \
      then makes an id, and a known user is still told by the user id.
      """)

  static let v2SessionStopped = Explanation(
    title: "the app had ended the session",
    happens: """
      The key rl_session_stopped_status is true: the app ended the session of the beta SDK 2, and no other was started.
      """,
    legacyReads: "The legacy SDK sends events without a session as long as the status is true.",
    guideSays: "The guide for the beta does not mention this key, as far as Carryover's authors have read it.",
    helperWrites: "The helper does not look at the status, writes the ended session, and the new SDK revives it.",
    weWrite: "Carryover leaves out session_id, is_manual_session and last_activity_time.",
    whatToDo: "Nothing has to be done: a new session starts when the app, or the new SDK by itself, starts one.")

  static let v2TraitsArchive = Explanation(
    title: "the archive of traits holds what JSON cannot say",
    happens: """
      The traits of the beta SDK 2 are a keyed archive of a dictionary. This one holds objects of other classes, or \
      dates, data and sets, for which JSON has no type; or it cannot be opened at all.
      """,
    legacyReads: "The legacy SDK opens the archive with all the classes of the app, so that any object comes back.",
    guideSays: "The guide for the beta says that the traits are stored as keyed-archived dictionary data.",
    helperWrites: """
      The helper opens dictionaries, arrays, strings, numbers and null only: with one value of another class all traits \
      are lost, and their source is deleted.
      """,
    weWrite: """
      Carryover decodes what can be decoded, without making an object of any class, names the rest by place and class, \
      and asks. Dates become ISO 8601 text, data base64 text, sets arrays.
      """,
    whatToDo: "Confirm the proposal if what is missing does not matter; edit the traits, or skip the field.")
}
