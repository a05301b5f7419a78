"""The parts of tools/bench/end_to_end."""
