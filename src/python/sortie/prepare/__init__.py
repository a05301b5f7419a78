"""Training data from raw files to shards, in steps that are sorts: the command sortie-prepare. plan.py says which steps
there are, state.py which are done, runs.py has them done."""
