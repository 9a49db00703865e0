enum ReviewPlaceholder {}
