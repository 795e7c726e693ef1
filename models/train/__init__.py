"""Recipes that make the weights, and what they learn from; nothing here runs in the job."""
