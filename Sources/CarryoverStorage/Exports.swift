// The steps of a model change JSON values, so an app that imports this module needs their members too.
@_exported public import PropertyLists
