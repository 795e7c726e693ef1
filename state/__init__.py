"""What memory is: domain types, decision rules, stores, index, snapshots, recall. Nothing here knows the stream."""
