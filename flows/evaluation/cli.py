"""The verb eval: its words, and how its figures are shown."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from flows import render
from flows.evaluation.chats import DataError
from flows.evaluation.figures import Figure
from flows.settings import SettingsError, load

DATA = Path("../shared/data")


def evaluate(
    datasets: Annotated[list[str], typer.Argument(metavar="DATASET…", help="What to measure; see docs/evaluation.md.")],
    data: Annotated[Path, typer.Option("--data", help="The folder with the data sets.")] = DATA,
    as_json: Annotated[bool, typer.Option("--json", help="Rows for machines.")] = False,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Conversations (or pairs) of each set.")] = None,
    config: Annotated[Path | None, typer.Option("--config", help="Settings, a TOML file.")] = None,
) -> None:
    """Measures the memory: claims, over-extraction, calibration, pairs, persona, cases, redaction, recall."""
    from flows.evaluation.measures import MEASURES  # loads the job and its models: no other verb waits for them

    for name in datasets:
        if name not in MEASURES:
            raise SettingsError(f"DATASET is {name!r}; expected one or more of {', '.join(MEASURES)}")
    load(config)
    found: list[Figure] = []
    try:
        for name in dict.fromkeys(datasets):
            found += MEASURES[name](data, limit, config)
    except DataError as error:
        raise SettingsError(str(error)) from None
    if as_json:
        render.write_json([{**asdict(figure), "met": figure.met} for figure in found])
        return
    columns = ("measure", "set", "what", "figure", "baseline", "target", "met", "cases")
    render.write_table("evaluation", columns, [_shown(figure) for figure in found])


def _shown(figure: Figure) -> tuple[str, ...]:
    met = "" if figure.met is None else "yes" if figure.met else "no"
    sign = "≤" if figure.at_most else "≥"
    target = "" if figure.target is None else f"{sign} {_number(figure.target)}"
    baseline = "" if figure.baseline is None else _number(figure.baseline)
    shown = (figure.data, figure.name, _number(figure.value), baseline, target, met)
    return (str(figure.measure), *shown, f"{figure.count:,}")


def _number(value: float) -> str:
    return f"{value:.3f}"
