"""The job's settings: one TOML file, overridden by environment variables, checked before anything starts.

docs/factstream.toml holds every setting with its default and its meaning. An environment variable
FACTSTREAM__SECTION__KEY overrides `section.key`; FACTSTREAM__KAFKA__CLIENT__BOOTSTRAP_SERVERS a client property.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
import typing
import zoneinfo
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec
from msgspec import Meta

from operators.decode import DecodePolicy, Decoder
from operators.formats import FORMATS
from operators.formats.mapping import FieldMapping
from operators.formats.shapes import Draft, near
from operators.hooks import NO_HOOKS, Hooks
from operators.policy import DEFAULT_BLOCKS, IMPORT, Block, StoragePolicy, parsed
from state.facts import KINDS, Kind, WriteMode
from state.prompt import BlockPlan, PromptPlan, placeholders

ENVIRONMENT_PREFIX = "FACTSTREAM__"
_TYPE_NAMES = {
    "int": "an integer",
    "str": "a string",
    "bool": "true or false",
    "float": "a number",
    "array": "a list",
    "object": "a table",
}
_HELP = "docs/factstream.toml explains every setting"

Count = Annotated[int, Meta(ge=1)]
CountOrZero = Annotated[int, Meta(ge=0)]
Port = Annotated[int, Meta(ge=1, le=65_535)]
Share = Annotated[float, Meta(ge=0.0, le=1.0)]
Name = Annotated[str, Meta(min_length=1)]
ClientValue = str | int | float | bool


class SettingsError(ValueError):
    """A setting that cannot be used: place, value, what is expected and the remedy, in one line (exit status 2)."""


@dataclass(frozen=True, slots=True)
class Topics:
    """Topic names. Without Kafka they name nothing."""

    input: Annotated[tuple[Name, ...], Meta(min_length=1)] = ("factstream.messages",)
    commands: Name = "factstream.commands"
    events: Name = "factstream.events"
    facts: Name = "factstream.facts"
    proposals: Name = "factstream.proposals"
    users: Name = "factstream.users"
    dead_letters: Name = "factstream.dead_letters"


@dataclass(frozen=True, slots=True)
class Kafka:
    """The broker, the topics, and how a topic is made that does not exist. `client` goes to librdkafka as it is.

    Without "bootstrap.servers" in it the job knows no Kafka. `expired`: what to do where unread records were deleted.
    `instance` is this one's number among all, "2/8", or "ordinal/8" by the host's name (S6); `keyed_by` and
    `partitioner` say how the producers of the input topics place a user, which only counts with several instances.
    """

    group_id: Name = "factstream"
    start: Literal["earliest", "latest"] = "earliest"
    expired: Literal["stop", "skip"] = "stop"
    partitions: Count = 32
    replication: Count = 1
    instance: Annotated[str, Meta(pattern="^([0-9]+|ordinal)/[1-9][0-9]*$")] = "1/1"
    keyed_by: Literal["user_id", "tenant/user_id"] = "user_id"
    partitioner: Literal["murmur2", "crc32"] = "murmur2"
    topics: Topics = Topics()
    client: dict[str, ClientValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Formats:
    """How records are read (S1). See operators.decode.DecodePolicy."""

    default: Name = "auto"
    user_from_key: bool = False
    tenant: Annotated[str, Meta(min_length=1, pattern="^[^/]*$")] = "default"
    participants_max: CountOrZero = 50
    text_chars_max: Count = 100_000
    record_bytes_max: Count = 1_000_000
    topics: dict[str, str] = field(default_factory=dict)
    fields: dict[str, str] = field(default_factory=dict)
    roles: dict[str, str] = field(default_factory=dict)
    mappings: dict[str, FieldMapping] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Windows:
    """When a reflection happens (T1, T2), and what is kept around it. `open_windows_max` is for each shard."""

    conversation_length: Annotated[int, Meta(ge=2)] = 32
    context_messages: CountOrZero = 8
    idle_gap_seconds: Count = 600
    open_windows_max: Count = 2_000
    context_horizon_hours: Count = 24
    retention_days: Count = 7
    seen_days: Count = 30


@dataclass(frozen=True, slots=True)
class Extraction:
    """What is extracted (X5, X8). `keep_threshold` is the first stage's: below it a clause is discarded unread."""

    keep_threshold: Share = 0.5
    timezone: Name = "UTC"
    third_party: Literal["keep", "relation", "drop"] = "relation"


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """How facts are reconciled and kept (R1, R3, R14, F4). `shards` is fixed for the life of a memory.

    `turns`: for how many days messages are kept beside the facts (Q4), or "off".
    """

    shards: Annotated[int, Meta(ge=1, le=4_096)] = 64
    confidence_floor: Annotated[float, Meta(ge=0.70, le=1.0)] = 0.70
    polarity_change: Literal["update", "delete"] = "update"
    derived: Literal["off", "propose", "auto"] = "off"
    max_facts: Count = 100
    fact_chars_max: Annotated[int, Meta(ge=1, le=10_000)] = 2_000
    lateness_days: Count = 30
    users_in_memory_max: Count = 64
    turns: Literal["off"] | Count = "off"


@dataclass(frozen=True, slots=True)
class BlockSettings:
    """One block of memory (P7). Of the blocks `facts` and `procedures` what is left out keeps its default."""

    kinds: tuple[Kind, ...] = ()
    namespaces: tuple[str, ...] = ()
    write_mode: WriteMode | None = None
    min_confidence: Share | None = None


@dataclass(frozen=True, slots=True)
class Namespaces:
    """Which namespaces may be stored; a pattern stands for what is below it, "*" for any one part. `deny` wins."""

    allow: tuple[Name, ...] = ()
    deny: tuple[Name, ...] = ()


Handling = Literal["keep", "propose", "drop"]


@dataclass(frozen=True, slots=True)
class Sensitive:
    """What happens to claims of the special categories of personal data (P4). See operators.sensitive."""

    health: Handling = "keep"
    sexuality: Handling = "keep"
    religion: Handling = "keep"
    politics: Handling = "keep"
    ethnicity: Handling = "keep"
    trade_union: Handling = "keep"
    biometrics: Handling = "keep"
    crime: Handling = "keep"
    finances: Handling = "keep"


_WRITE_MODE: dict[Kind, WriteMode] = {kind: "propose" if kind == "procedure" else "auto" for kind in KINDS}
_STRICT_MIN_CONFIDENCE = 0.80
_HANDLINGS: tuple[Handling, ...] = ("keep", "propose", "drop")


@dataclass(frozen=True, slots=True)
class Policy:
    """What may be stored at all, and how (P1, P4, P5, P7, W1, F5). A kind that `write_mode` leaves out has its default.

    `proposal_days`: how long a proposal waits, `decided_days`: how long one that no longer waits keeps its words, 0 for
    ever; `prune_hours`: how often a live job prunes, 0 for never.

    `profile` only ever makes it stricter: "eliza" stores facts alone (P5), "review" proposes what would be written,
    "strict" stores no recommendations, nothing below 0.80, health only after approval and no other sensitive category.
    """

    profile: Literal["default", "review", "strict", "eliza"] = "default"
    kinds: tuple[Kind, ...] = KINDS
    off_record: bool = True
    hooks: bool = True
    write_mode: dict[Kind, WriteMode] = field(default_factory=dict)
    write_mode_by_namespace: dict[Name, WriteMode] = field(default_factory=dict)
    write_mode_by_source: dict[Name, WriteMode] = field(default_factory=dict)
    min_confidence: dict[Kind, Share] = field(default_factory=dict)
    min_confidence_by_namespace: dict[Name, Share] = field(default_factory=dict)
    retention_days: dict[Kind, CountOrZero] = field(default_factory=dict)
    namespaces: Namespaces = Namespaces()
    sensitive: Sensitive = Sensitive()
    blocks: dict[Name, BlockSettings] = field(default_factory=dict)
    proposal_days: CountOrZero = 0
    decided_days: CountOrZero = 30
    prune_hours: CountOrZero = 0

    def __post_init__(self) -> None:
        modes = _WRITE_MODE | self.write_mode
        if self.profile == "review":
            modes = {kind: "propose" if mode == "auto" else mode for kind, mode in modes.items()}
        object.__setattr__(self, "write_mode", modes)
        if self.profile == "eliza":
            object.__setattr__(self, "kinds", tuple(kind for kind in self.kinds if kind == "fact"))
        if self.profile == "strict":
            self._make_strict()

    def _make_strict(self) -> None:
        floors = {kind: max(_STRICT_MIN_CONFIDENCE, self.min_confidence.get(kind, 0.0)) for kind in KINDS}
        wanted = {f.name: "propose" if f.name == "health" else "drop" for f in fields(Sensitive)}
        stricter = {
            name: max(getattr(self.sensitive, name), least, key=_HANDLINGS.index) for name, least in wanted.items()
        }
        object.__setattr__(self, "kinds", tuple(kind for kind in self.kinds if kind != "recommendation"))
        object.__setattr__(self, "min_confidence", floors)
        object.__setattr__(self, "sensitive", Sensitive(**stricter))

    def storage(self, hooks: Hooks = NO_HOOKS) -> StoragePolicy:
        """The policy of the extract step."""
        return StoragePolicy(
            kinds=frozenset(self.kinds),
            blocks=self._blocks(),
            allow=tuple(map(parsed, self.namespaces.allow)),
            deny=tuple(map(parsed, self.namespaces.deny)),
            write_mode_by_kind=dict(self.write_mode),
            write_mode_by_namespace=tuple((parsed(name), mode) for name, mode in self.write_mode_by_namespace.items()),
            write_mode_by_source=dict(self.write_mode_by_source),
            confidence_min_by_kind=dict(self.min_confidence),
            confidence_min_by_namespace=tuple(
                (parsed(name), least) for name, least in self.min_confidence_by_namespace.items()
            ),
            sensitive={f.name: how for f in fields(Sensitive) if (how := getattr(self.sensitive, f.name)) != "keep"},
            off_record=self.off_record,
            review=self.profile == "review",
            hooks=hooks,
        )

    def _blocks(self) -> tuple[Block, ...]:
        """The configured blocks in their order, then what is left of the default ones."""
        defaults = {block.name: block for block in DEFAULT_BLOCKS}
        found = []
        for name, given in self.blocks.items():
            default = defaults.pop(name, None)
            kinds = frozenset(given.kinds) or (default.kinds if default is not None else frozenset())
            patterns = tuple(map(parsed, given.namespaces))
            mode = given.write_mode or (default.write_mode if default is not None else None)
            found.append(Block(name, kinds, patterns, mode, given.min_confidence))
        return (*found, *defaults.values())


@dataclass(frozen=True, slots=True)
class Recovery:
    """How often progress is committed, and its layout. `backup_seconds` keeps older recovery points that long.

    `in_flight_bytes_max` bounds what each worker hands to the dataflow between two commits, in bytes of the records.
    """

    epoch_seconds: Annotated[float, Meta(gt=0.0)] = 10.0
    in_flight_bytes_max: Annotated[int, Meta(ge=1_000_000)] = 67_108_864
    partitions: Count = 16
    backup_seconds: Annotated[float, Meta(ge=0.0)] = 0.0


@dataclass(frozen=True, slots=True)
class MetricsSettings:
    """Where Prometheus scrapes; each further worker process takes the next port.

    `job_port` is the supervisor's, with /health/live and /health/ready; 0 is none. `stalled_seconds`: a job that has
    committed, and then not for so long, is no longer live.
    """

    enabled: bool = True
    port: Port = 9464
    job_port: Annotated[int, Meta(ge=0, le=65_535)] = 0
    stalled_seconds: Count = 600


@dataclass(frozen=True, slots=True)
class DeadLetters:
    """What a dead letter keeps of its record (S2), and when there are too many of them (S3)."""

    payload: Literal["masked", "original"] = "masked"
    share_max: Share = 0.20
    window: Count = 1_000


@dataclass(frozen=True, slots=True)
class Snapshots:
    """DuckDB generations made inside the job (S9); `interval_minutes` 0 makes none."""

    interval_minutes: CountOrZero = 0
    keep: Count = 2


class ServeToken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bearer token of the verb serve: the tenant it opens, what it may do, and where the secret is (never here).

    Exactly one of `env` (an environment variable) and `file` (its first line) holds the secret. `access`: "read";
    "write" may also remember, forget, pin and add messages; "full" may also decide proposals and erase.
    """

    tenant: Annotated[str, Meta(min_length=1, pattern="^[^/]*$")] = "default"
    access: Literal["read", "write", "full"] = "write"
    env: str = ""
    file: str = ""


@dataclass(frozen=True, slots=True)
class Serve:
    """Where the verb serve listens, who may ask, and how much (Q3); `rate_per_second` and `burst` are a token's."""

    host: Name = "127.0.0.1"
    port: Port = 8640
    request_bytes_max: Count = 262_144
    rate_per_second: Annotated[float, Meta(gt=0.0)] = 500.0
    burst: Count = 1_000
    connections_max: Count = 512
    wait_seconds: Annotated[float, Meta(ge=0.0, le=60.0)] = 10.0
    session_minutes: Count = 480
    tokens: dict[str, ServeToken] = field(default_factory=dict)


class PromptBlock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One block of a prompt (Q2, P7). See state.prompt.BlockPlan; of the usual blocks what is left out is as usual."""

    strategy: Literal["semantic", "recent", "list", "off"] | None = None
    limit: Count | None = None
    kinds: tuple[Kind, ...] = ()
    namespaces: tuple[str, ...] = ()
    title: str | None = None
    query: str = "{query}"


@dataclass(frozen=True, slots=True)
class Prompt:
    """How memory is rendered for a prompt (Q2). `template` is a file, used in the place of the usual frame."""

    budget_tokens: Annotated[int, Meta(ge=50)] = 500
    template: str = ""
    blocks: dict[str, PromptBlock] = field(default_factory=dict)

    def plan(self) -> PromptPlan:
        """What state.prompt renders. Raises SettingsError where the template cannot be read."""
        usual = PromptPlan()
        names = dict.fromkeys((*(block.name for block in usual.blocks), *self.blocks))
        return PromptPlan(tuple(self._block(name, usual) for name in names), self.budget_tokens, self._template(names))

    def _block(self, name: str, usual: PromptPlan) -> BlockPlan:
        given = self.blocks.get(name, PromptBlock())
        base = next((block for block in usual.blocks if block.name == name), BlockPlan(name, KINDS, "semantic", 5))
        return BlockPlan(
            name,
            given.kinds or base.kinds,
            given.strategy or base.strategy,
            given.limit or base.limit,
            base.title if given.title is None else given.title,
            tuple(tuple(each.split("/")) for each in given.namespaces),
            given.query,
        )

    def _template(self, names: Iterable[str]) -> str:
        if not self.template:
            return ""
        try:
            text = Path(self.template).read_text()
            found = placeholders(text)
        except (OSError, ValueError) as error:
            raise SettingsError(f"`prompt.template` is {self.template!r}: {error}; {_HELP}") from None
        known = {"memory", "do_not_restate", *names}
        if not found or not known.issuperset(found):
            raise SettingsError(
                f"`prompt.template` is {self.template!r} and fills {', '.join(found) or 'nothing'}; expected"
                f" $memory, or some of {', '.join('$' + name for name in sorted(known))}"
            )
        return text


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of one job."""

    kafka: Kafka = field(default_factory=Kafka)
    formats: Formats = field(default_factory=Formats)
    windows: Windows = Windows()
    extraction: Extraction = Extraction()
    memory: MemorySettings = MemorySettings()
    policy: Policy = field(default_factory=Policy)
    recovery: Recovery = Recovery()
    metrics: MetricsSettings = MetricsSettings()
    dead_letters: DeadLetters = DeadLetters()
    snapshots: Snapshots = Snapshots()
    serve: Serve = field(default_factory=Serve)
    prompt: Prompt = field(default_factory=Prompt)

    def decode_policy(self) -> DecodePolicy:
        """The policy of the decode step."""
        formats = self.formats
        return DecodePolicy(
            format=formats.default,
            topic_formats=tuple(formats.topics.items()),
            fields=tuple(formats.fields.items()),
            roles=tuple(formats.roles.items()),
            mappings=tuple(formats.mappings.items()),
            user_from_key=formats.user_from_key,
            tenant=formats.tenant,
            participants_max=formats.participants_max,
            text_chars_max=formats.text_chars_max,
            record_bytes_max=formats.record_bytes_max,
            fact_chars_max=self.memory.fact_chars_max,
            payload=self.dead_letters.payload,
        )


def load(path: Path | str | None = None, environ: Mapping[str, str] | None = None) -> Settings:
    """Reads the file (None: defaults), applies the environment over it, and checks everything.

    `environ` None is the process's own. Raises SettingsError.
    """
    table = _read(Path(path)) if path is not None else {}
    source = str(path) if path is not None else "settings"
    overridden = _override(table, os.environ if environ is None else environ)
    _known(table, Settings, "", source, overridden)
    try:
        settings = msgspec.convert(table, Settings)
    except msgspec.ValidationError as error:
        raise _complaint(error, table, source, overridden) from None
    _check(settings, source)
    return settings


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read ({error.strerror}); give an existing file with --config") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{path}: is not UTF-8; save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path}: is not TOML: {error}; strings need quotes, tables [brackets]") from None


def _override(table: dict[str, Any], environ: Mapping[str, str]) -> dict[str, str]:
    """Puts the variables into the table; returns which setting came from which variable."""
    overridden: dict[str, str] = {}
    for variable in sorted(environ):
        if not variable.startswith(ENVIRONMENT_PREFIX):
            continue
        parts = [part.lower() for part in variable.removeprefix(ENVIRONMENT_PREFIX).split("__")]
        if parts[:2] == ["kafka", "client"] and len(parts) == 3:
            parts[2] = parts[2].replace("_", ".")
        here = table
        for part in parts[:-1]:
            below = here.setdefault(part, {})
            if not isinstance(below, dict):
                raise SettingsError(f"{variable}: `{part}` holds no settings of its own; {_HELP}")
            here = below
        here[parts[-1]] = _value(environ[variable], _type_at(parts))
        overridden[".".join(parts)] = variable
    return overridden


def _value(raw: str, kind: Any) -> Any:
    """A variable's text as the setting's type wants it: strings as they are, all else as TOML writes it."""
    if kind is str or get_origin(kind) is Literal:
        return raw
    try:
        return tomllib.loads(f"value = {raw}")["value"]
    except tomllib.TOMLDecodeError:
        return raw


def _type_at(parts: list[str], extras: bool = False) -> Any:
    """The type of the setting at a path; with `extras` its bounds too."""
    kind: Any = Settings
    for part in parts:
        if get_origin(kind) is dict and _has_settings(get_args(kind)[1]):
            kind = get_args(kind)[1]
        else:
            kind = typing.get_type_hints(kind, include_extras=extras).get(part) if _has_settings(kind) else None
    return kind


def _has_settings(kind: Any) -> bool:
    return is_dataclass(kind) or (isinstance(kind, type) and issubclass(kind, msgspec.Struct))


def _known(table: dict[str, Any], kind: Any, place: str, source: str, overridden: dict[str, str]) -> None:
    """Refuses a name that no setting has: a misspelt setting must not silently keep its default."""
    hints = typing.get_type_hints(kind)
    for name, value in table.items():
        path = f"{place}{name}"
        if name not in hints:
            close = difflib.get_close_matches(name, hints, n=1)
            known = f"did you mean `{place}{close[0]}`?" if close else f"known here are {', '.join(hints)};"
            raise SettingsError(f"{_source_of(path, source, overridden)}: `{path}` is no setting; {known} {_HELP}")
        kind = hints[name]
        if is_dataclass(kind) and isinstance(value, dict):
            _known(value, kind, f"{path}.", source, overridden)
        elif get_origin(kind) is dict and _has_settings(get_args(kind)[1]) and isinstance(value, dict):
            for entry, inner in value.items():
                if isinstance(inner, dict):
                    _known(inner, get_args(kind)[1], f"{path}.{entry}.", source, overridden)


def _complaint(
    error: msgspec.ValidationError, table: dict[str, Any], source: str, overridden: dict[str, str]
) -> SettingsError:
    what, _, at = str(error).partition(" - at ")
    of_key = at.startswith("`key` in ")
    path = at.removeprefix("`key` in ").strip("`").removeprefix("$").removeprefix(".")
    path = path.removesuffix("[...]") if of_key else _named_entry(path, table).removesuffix("[...]")
    parts = path.split("[")[0].split(".")
    value: Any = table
    for part in parts:
        value = value.get(part) if isinstance(value, dict) else value
    place = _source_of(".".join(parts), source, overridden)
    shown = "" if parts[:2] == ["kafka", "client"] else f" is {value!r:.60},"  # it may be a password
    kind = _type_at(parts)
    if kind is None and get_origin(_type_at(parts[:-1])) is dict:
        kind = get_args(_type_at(parts[:-1]))[1]
    if get_origin(kind) is dict:
        kind = get_args(kind)[0 if of_key else 1]
    options = _options(kind)
    if of_key and isinstance(value, dict) and options and (wrong := [name for name in value if name not in options]):
        known = f"expected one of {', '.join(options)}{near(wrong[0], options)}"
        return SettingsError(f"{place}: `{path}` names {wrong[0]!r}, {known}; {_HELP}")
    if what.startswith("Invalid enum") and options:
        expected = f"expected one of {', '.join(options)}" + (near(value, options) if isinstance(value, str) else "")
    elif options and what.startswith("Expected"):
        expected = f"expected {' or '.join(map(repr, options))}, or a whole number, 1 or more"
    else:
        expected = _spelt(what)
    return SettingsError(f"{place}: `{path}`{shown} {expected}; {_HELP}")


def _named_entry(path: str, table: dict[str, Any]) -> str:
    """The path with the name of the entry at fault, where msgspec says only that it is one of a table's: `[...]`."""
    above, found, below = path.partition("[...]")
    below = below.removeprefix(".")
    kind, entries = _type_at(above.split("."), extras=True), table
    for part in above.split("."):
        entries = entries.get(part, {}) if isinstance(entries, dict) else {}
    if not found or get_origin(kind) is not dict or not isinstance(entries, dict):
        return path
    for name, value in entries.items():
        try:
            msgspec.convert(value, get_args(kind)[1])
        except msgspec.ValidationError:
            return f"{above}.{name}.{below}".removesuffix(".")
    return path


def _spelt(what: str) -> str:
    """msgspec's expectation in words."""
    what = f"{what[:1].lower()}{what[1:]}".replace("`", "").replace(" | ", " or ")
    return re.sub(r"\w+", lambda word: _TYPE_NAMES.get(word[0], word[0]), what)


def _options(kind: Any) -> tuple[str, ...]:
    """The words that a choice, or a list of choices, is made of."""
    if get_origin(kind) is Literal:
        return get_args(kind)
    return tuple(dict.fromkeys(word for inner in get_args(kind) for word in _options(inner)))


def _source_of(path: str, source: str, overridden: dict[str, str]) -> str:
    for name, variable in overridden.items():
        if name == path or name.startswith(f"{path}."):
            return f"environment variable {variable}"
    return source


def _check(settings: Settings, source: str) -> None:
    """What no single type can say."""
    topics, formats = settings.kafka.topics, settings.formats
    topic_names = [*topics.input, *(getattr(topics, f.name) for f in fields(Topics) if f.name != "input")]
    for name in topic_names:
        if topic_names.count(name) > 1:
            raise SettingsError(
                f"{source}: `kafka.topics` names {name!r} twice, expected a topic for each; "
                "a topic that is read and written would feed the job its own output"
            )
    for label, policy in (("default", formats.default), *formats.topics.items()):
        if policy not in (*FORMATS, *formats.mappings):
            place = "formats.default" if label == "default" else f"formats.topics.{label}"
            known = ", ".join((*FORMATS, *formats.mappings))
            raise SettingsError(f"{source}: `{place}` is {policy!r}, expected one of {known}")
    for name in formats.fields:
        if name not in Draft.__struct_fields__:
            known = ", ".join(Draft.__struct_fields__)
            raise SettingsError(f"{source}: `formats.fields.{name}` is no field of a message, expected one of {known}")
    try:
        Decoder(settings.decode_policy())
    except ValueError as error:
        raise SettingsError(f"{source}: `formats`: {error}") from None
    for name, token in settings.serve.tokens.items():
        if bool(token.env) == bool(token.file):
            raise SettingsError(
                f"{source}: `serve.tokens.{name}` names {'both' if token.env else 'neither'} of env and file, expected"
                " one: the environment variable, or the file, that holds the secret"
            )
    _check_policy(settings, source)
    settings.prompt.plan()
    try:
        zoneinfo.ZoneInfo(settings.extraction.timezone)
    except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
        raise SettingsError(
            f"{source}: `extraction.timezone` is {settings.extraction.timezone!r}, expected an IANA name such as "
            "Europe/Berlin or UTC"
        ) from None


def _check_policy(settings: Settings, source: str) -> None:
    policy = settings.policy
    if not policy.kinds:
        raise SettingsError(
            f"{source}: `policy.kinds` is empty, so that nothing would be remembered; expected one or more of "
            f"{', '.join(KINDS)}; leave it out to keep all; {_HELP}"
        )
    for name, block in policy.blocks.items():
        if not block.kinds and name not in {default.name for default in DEFAULT_BLOCKS}:
            raise SettingsError(
                f"{source}: `policy.blocks.{name}` names no kinds, expected one or more of {', '.join(KINDS)}; "
                f"write kinds = [...] in it; {_HELP}"
            )
    patterns = {
        "policy.namespaces.allow": policy.namespaces.allow,
        "policy.namespaces.deny": policy.namespaces.deny,
        "policy.write_mode_by_namespace": tuple(policy.write_mode_by_namespace),
        "policy.min_confidence_by_namespace": tuple(policy.min_confidence_by_namespace),
        **{f"policy.blocks.{name}.namespaces": block.namespaces for name, block in policy.blocks.items()},
    }
    for place, given in patterns.items():
        for pattern in given:
            if "//" in pattern or not parsed(pattern) or any("*" in part and part != "*" for part in parsed(pattern)):
                raise SettingsError(
                    f"{source}: `{place}` has {pattern!r}, expected parts between slashes such as user/health, where "
                    f"* alone stands for any one part; {_HELP}"
                )
    sources = (*settings.kafka.topics.input, IMPORT)
    for topic in policy.write_mode_by_source:
        if topic not in sources and not topic.startswith("file:"):
            raise SettingsError(
                f"{source}: `policy.write_mode_by_source` names {topic!r}, expected one of kafka.topics.input "
                f"({', '.join(settings.kafka.topics.input)}), {IMPORT!r}, or 'file:NAME' of an input file"
                f"{near(topic, sources)}; add the topic there, or correct its name"
            )


def names(kind: Any = Settings, place: str = "") -> tuple[str, ...]:
    """The dotted name of every setting, in order: what documentation must cover."""
    hints = typing.get_type_hints(kind)
    found: list[str] = []
    for name in (f.name for f in fields(kind)):
        found.extend(names(hints[name], f"{place}{name}.") if is_dataclass(hints[name]) else (f"{place}{name}",))
    return tuple(found)
