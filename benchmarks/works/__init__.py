"""The measured works: each prepares, is timed, and tells what it found."""
