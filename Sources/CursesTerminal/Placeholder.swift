enum CursesTerminalPlaceholder {}
