enum CarryoverPlaceholder {}
