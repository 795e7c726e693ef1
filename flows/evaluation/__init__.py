"""How good the memory is: the measures of docs/evaluation.md, scored from what the product stores and publishes."""
