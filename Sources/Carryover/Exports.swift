// The values of fields and decisions are property lists, so an app that imports this module needs their members too.
@_exported public import PropertyLists
