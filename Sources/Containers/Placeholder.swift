enum ContainersPlaceholder {}
