"""The commands, a module each: the arguments as they were typed, and what is done with them."""
