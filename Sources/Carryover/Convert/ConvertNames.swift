/// The names under which Convert's iOS SDK keeps its data, in the keychain, in the app's own defaults and in Application
/// Support, as its source has them.
public enum ConvertNames {
  /// The service of the keychain item.
  public static let keychainService = "com.convert.sdk"
  /// The account of the keychain item that holds the visitor's id.
  public static let visitorAccount = "com.convert.sdk.visitorId"
  /// The key of the id's mirror in `UserDefaults.standard`.
  public static let visitorMirror = "com.convert.sdk.visitorIdMirror"
  /// The folder in Application Support.
  public static let folder = "com.convertexperiments.sdk"
  /// The queue of events that were not sent yet, in the folder.
  public static let queue = "event-queue.json"
  /// The sign beside the queue that it is being sent, a file of the one byte 1.
  public static let uploading = "event-queue.uploading"
  /// The decisions, in Application Support itself.
  public static let decisions = "convert-decision-store.json"

  /// The file of a cached configuration, in the folder. Every byte of the SDK's key but ASCII letters, digits, `-`, `_` and
  /// `.` becomes `_`, so that different keys can share a file.
  public static func configuration(sdkKey: String) -> String {
    let bytes = sdkKey.utf8.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
        byte
      default: UInt8(ascii: "_")
      }
    }
    return "config-\(String(decoding: bytes, as: UTF8.self)).json"
  }
}
