"""The dataflow's steps, one a file."""
