"""`python -m flows VERB`, the same as `factstream VERB`."""

from flows.cli import main

main()
