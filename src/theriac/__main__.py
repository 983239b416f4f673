"""The command `theriac`, also as `python -m theriac`."""

import sys

from theriac.other_package import find_other_package


def main() -> None:
    """Run the command; say first what may be the reason if it fails."""
    other = find_other_package()
    if other:
        print(other, file=sys.stderr)
    from theriac.cli import main

    main()


if __name__ == "__main__":
    main()
