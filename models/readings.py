"""What the extraction encoder says of one clause: the meeting point of the model and the rules that write claims."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Subject = Literal["user", "third", "project"]


@dataclass(frozen=True, slots=True)
class Reading:
    """The heads' answer for a clause that is kept.

    `kind`: fact, status, opinion, procedure or recommendation (X1). `predicate`: a name of the catalogue, "states"
    where none fits. `subject`: the user, a person or group the user knows ("third"), or a project or organisation.
    `confidence` (0–1, calibrated, X12): that the clause holds something worth keeping. `intensity` (0–1): strength of
    attitude. Scores are rounded to four places.
    """

    kind: str
    predicate: str
    subject: Subject
    confidence: float
    intensity: float
