"""The job's topology, connectors, settings and command line; `Memory` reads what a job has learned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flows.memory import Memory, Recalled

__all__ = ["Memory", "Recalled"]


def __getattr__(name: str) -> Any:
    """Loads the Python face when it is asked for: workers and most verbs need none of its libraries."""
    if name not in __all__:
        raise AttributeError(f"module 'flows' has no attribute {name!r}")
    from flows import memory

    return getattr(memory, name)
