// Convert's decisions contain JSON values, so an app that imports this module needs their members too.
@_exported public import PropertyLists
