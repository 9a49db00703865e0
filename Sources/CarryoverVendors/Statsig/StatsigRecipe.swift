// Made from Recipes/statsig-to-file.recipe.yaml by `make record`. Change that file, not this one.
package import Carryover

extension Recipe {
  /// Migrates the stable id of Statsig's SDK from the app's preferences to the file that the SDK reads with
  /// enableCacheByFile.
  ///
  /// Sources: the public sources of statsig-kit 1.62.5, FileBasedUserDefaults.swift, AtomicDictionary.swift and
  /// Statsig.swift; the public sources of statsig-kit 1.62.5, DeviceEnvironment.swift, StatsigUser.swift and
  /// StatsigValuesCache.swift.
  package static let statsigToFile = Recipe(
    reference: RecipeReference(id: "statsig-to-file", version: 2, title: "Statsig preferences → file"),
    about: """
      Migrates the stable id of Statsig's SDK from the app's preferences to the file that the SDK reads with
      enableCacheByFile.

      The SDK does not copy its data to the file. Without a stable id in it, the SDK makes a new one for every user that the
      app creates after the SDK's start, and Statsig assigns this user's experiments again.

      The container does not show whether the app turns on enableCacheByFile: the recipe is followed only if it is named.
      """,
    legacySDK: "Statsig's SDK",
    inTheApp: """
      At each start, pass the stored id as overrideStableID in StatsigOptions. It is the text under
      com.Statsig.InternalStore.stableIDKey in UserDefaults.standard. The SDK then uses it for every user.
      """,
    target: .archive(["Library/Caches/statsig-cache-data"]),
    sources: [.suite(.app)],
    rules: [
      FieldRule(
        target: "com.Statsig.InternalStore.stableIDKey", group: .identity, form: .string,
        candidates: [Candidate(SourceKey("com.Statsig.InternalStore.stableIDKey"), [.numberText])],
        loss: Loss(
          .newUser, "the stable id", ahead: "with enableCacheByFile, the SDK would give this user a new stable id",
          past: "with enableCacheByFile, the SDK gives this user a new stable id"))
    ],
    leftBehind: [
      LeftBehind(
        "com.Statsig.InternalStore.stickyDeviceExperimentsKey",
        because:
          "The file needs a dictionary, which a recipe cannot write; the preferences contain JSON. With the same stable id, Statsig assigns the same groups, unless an experiment has changed since."
      ),
      LeftBehind(
        "com.Statsig.InternalStore.localOverridesKey",
        because: "The file needs a dictionary, which a recipe cannot write; the preferences contain JSON."),
      LeftBehind(
        "com.Statsig.InternalStore.localStorageKeyV2",
        because: "The SDK fetches these values again. The sticky experiments of a user are among them."),
      LeftBehind(
        "com.Statsig.InternalStore.cacheKeyMappingKey", because: "It belongs to the values that the SDK fetches again."),
      LeftBehind(
        "com.Statsig.InternalStore.networkFallbackInfoKey",
        because: "The SDK looks for other addresses of its server again."),
      LeftBehind(
        "com.Statsig.StorageService.migrationStatus",
        because: "It says where the SDK stored the values that it fetches again."),
      LeftBehind(
        "com.Statsig.InternalStore.localStorageKey",
        because: "An earlier version stored these values, and the SDK fetches them again."),
      LeftBehind(
        "com.Statsig.InternalStore.stickyUserExperimentsKey",
        because: "An earlier version stored these experiments, and Statsig assigns them again."),
      LeftBehind(
        "com.Statsig.InternalStore.stickyUserIDKey", because: "It belongs to the experiments of an earlier version."),
      LeftBehind("com.Statsig.EventLogger.loggingRequestUserDefaultsKey*", because: "Unsent events are not migrated."),
    ],
    legacyPrefixes: ["com.Statsig."],
    marks: ["com.Statsig.InternalStore.stableIDKey"],
    isOnlyByName: true)
}
