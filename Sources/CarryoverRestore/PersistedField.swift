/// A field that the migrator restores from a legacy RudderStack SDK. The raw value is the new SDK's key.
public enum PersistedField: String, CaseIterable, Hashable, Sendable {
  case anonymousID = "anonymous_id"
  case userID = "user_id"
  case traits
  case sessionID = "session_id"
  case isManualSession = "is_manual_session"
  case lastActivityTime = "last_activity_time"
  case appVersion = "rudder.app_version"
  case appBuild = "rudder.app_build"
}
