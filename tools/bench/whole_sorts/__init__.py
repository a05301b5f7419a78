"""What tools/bench/end_to_end is made of."""
