"""A module for each kind of fault: which cases there are, and what one of them does."""
