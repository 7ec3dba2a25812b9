"""``python -m zermelo``: the command ``zermelo``, if it is not on the path."""

from zermelo.cli import main

if __name__ == "__main__":
    main(prog_name="zermelo")
