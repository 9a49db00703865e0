enum PropertyListsPlaceholder {}
