"""Two opposed players, or one, who see everything."""
