"""The verb decide: the updater alone, over facts given as rows (INTERFACE `decide`)."""

from __future__ import annotations
