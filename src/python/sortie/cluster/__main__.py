"""python -m sortie.cluster is the command sortie-cluster."""

from .command_line import main

if __name__ == "__main__":
    main()
