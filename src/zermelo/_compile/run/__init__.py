"""Loading of generated modules, caches of compiled rules, and errors in the author's terms."""
