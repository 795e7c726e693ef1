"""English wording: word lists, plain spelling, verb forms and person, which the rules of models/ are built on."""
