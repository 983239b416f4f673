"""`python -m theriac` is `theriac`."""

from theriac.cli import main

if __name__ == "__main__":
    main()
