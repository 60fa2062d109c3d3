"""Players who choose at once: a matrix game in every position."""
