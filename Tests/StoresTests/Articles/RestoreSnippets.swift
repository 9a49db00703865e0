// What the recipes for RudderStack's SDKs say of the app. This file imports nothing else.

// snippet: restore-everyone
import CarryoverRestore
// end snippet

func restoreEveryone() -> PersistenceReport {
  // snippet: restore-everyone, continued
  let report = PersistentMigrator(writeKey: "WRITE_KEY")
    .restorePersistence(onConflict: .replaceFreshIdentity)
  print(report)
  // end snippet
  return report
}
