"""Generation of the module that runs compiled rules over positions."""
