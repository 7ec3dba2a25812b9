"""What a solve keeps on the way, so that another process can resume it."""
