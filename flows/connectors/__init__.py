"""Where records come from and go to: Kafka and files."""
