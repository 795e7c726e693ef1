"""`factstream serve`: HTTP, MCP and the review page over one state directory, beside the job that writes it (Q3)."""
