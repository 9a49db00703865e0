// A domain of defaults contains property lists, so an app that implements one needs their members too.
@_exported public import PropertyLists
