"""The verb decide: the updater alone, over facts given as rows (INTERFACE `decide`)."""

from __future__ import annotations

from typing import Any

from flows.job import rules_policy
from flows.settings import Settings
