"""The job's topology, connectors, settings and command line; `Memory` reads what a job has learned."""

from flows.memory import Memory, Recalled

__all__ = ["Memory", "Recalled"]
