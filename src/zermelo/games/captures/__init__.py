"""Men that take one another until one side has none left."""
