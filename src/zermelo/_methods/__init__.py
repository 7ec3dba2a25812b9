"""The methods: which games each suits, and how it goes about one. ``solve`` chooses among them."""
