from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from flows.settings import Settings, SettingsError, load, names
from operators.decode import DecodePolicy
from operators.formats.mapping import FieldMapping
from operators.policy import Block, StoragePolicy

EXAMPLE = Path(__file__).parents[2] / "docs" / "factstream.toml"


def given(tmp_path: Path, text: str, **environ: str) -> Settings:
    path = tmp_path / "factstream.toml"
    path.write_text(text, encoding="utf-8")
    return load(path, environ)


def test_the_documented_file_is_the_defaults() -> None:
    assert load(EXAMPLE, {}) == Settings() == load(None, {})


def test_the_documented_file_leaves_no_setting_out() -> None:
    written = tomllib.loads(EXAMPLE.read_text(encoding="utf-8"))
    for name in names():
        here = written
        for part in name.split("."):
            assert part in here, f"docs/factstream.toml lacks {name}"
            here = here[part]


def test_the_defaults_are_those_that_the_requirements_state() -> None:
    """T1, T2, P3, R3, R14, F4, S2, S3, W1, X8."""
    settings = Settings()
    assert (settings.windows.conversation_length, settings.windows.context_messages) == (32, 8)
    assert settings.windows.idle_gap_seconds == 600
    assert (settings.memory.confidence_floor, settings.memory.max_facts) == (0.70, 100)
    assert (settings.memory.polarity_change, settings.memory.lateness_days) == ("update", 30)
    assert (settings.extraction.timezone, settings.extraction.third_party) == ("UTC", "relation")
    assert (settings.dead_letters.payload, settings.dead_letters.share_max) == ("masked", 0.20)
    assert settings.policy.write_mode["procedure"] == "propose"
    assert {mode for kind, mode in settings.policy.write_mode.items() if kind != "procedure"} == {"auto"}


def test_a_file_changes_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    settings = given(tmp_path, '[windows]\nidle_gap_seconds = 60\n[policy.write_mode]\nfact = "manual"\n')
    assert settings.windows.idle_gap_seconds == 60
    assert settings.windows.conversation_length == 32
    assert (settings.policy.write_mode["fact"], settings.policy.write_mode["procedure"]) == ("manual", "propose")


def test_the_environment_overrides_the_file(tmp_path: Path) -> None:
    settings = given(
        tmp_path,
        '[windows]\nidle_gap_seconds = 60\n[kafka]\ngroup_id = "a"\n',
        FACTSTREAM__WINDOWS__IDLE_GAP_SECONDS="90",
        FACTSTREAM__KAFKA__GROUP_ID="42",
        FACTSTREAM__KAFKA__CLIENT__BOOTSTRAP_SERVERS="one:9092,two:9092",
        FACTSTREAM__KAFKA__TOPICS__INPUT='["a", "b"]',
        FACTSTREAM__METRICS__ENABLED="false",
        FACTSTREAM__RECOVERY__EPOCH_SECONDS="0.5",
        FACTSTREAM__POLICY__WRITE_MODE__FACT='"propose"',
        OTHER__WINDOWS="x",
    )
    assert settings.windows.idle_gap_seconds == 90
    assert settings.kafka.group_id == "42"
    assert settings.kafka.client == {"bootstrap.servers": "one:9092,two:9092"}
    assert settings.kafka.topics.input == ("a", "b")
    assert settings.metrics.enabled is False
    assert settings.recovery.epoch_seconds == 0.5
    assert settings.policy.write_mode["fact"] == "propose"


def test_client_settings_reach_librdkafka_as_they_are(tmp_path: Path) -> None:
    """S1."""
    settings = given(
        tmp_path, '[kafka.client]\n"bootstrap.servers" = "b:1"\n"security.protocol" = "SSL"\n"linger.ms" = 5\n'
    )
    assert settings.kafka.client == {"bootstrap.servers": "b:1", "security.protocol": "SSL", "linger.ms": 5}


def test_the_decode_step_gets_its_policy(tmp_path: Path) -> None:
    settings = given(
        tmp_path,
        '[formats]\ndefault = "openai"\ntenant = "acme"\nuser_from_key = true\ntext_chars_max = 9\n'
        'record_bytes_max = 99\n[formats.topics]\nchats = "canonical"\n[formats.fields]\nuser_id = "customer.id"\n'
        '[formats.roles]\nguest = "peer"\n[dead_letters]\npayload = "original"\n'
        '[formats.mappings.desk]\ntext = "body"\nrole = "who.kind"\ntime_unit = "ms"\nroles = {agent = "assistant"}\n',
    )
    assert settings.decode_policy() == DecodePolicy(
        format="openai",
        mappings=(("desk", FieldMapping(text="body", role="who.kind", time_unit="ms", roles={"agent": "assistant"})),),
        topic_formats=(("chats", "canonical"),),
        fields=(("user_id", "customer.id"),),
        roles=(("guest", "peer"),),
        user_from_key=True,
        tenant="acme",
        text_chars_max=9,
        record_bytes_max=99,
        payload="original",
    )
    assert Settings().decode_policy() == DecodePolicy()


def test_profiles_only_make_it_stricter(tmp_path: Path) -> None:
    """P5, W1: also over the whole documented file."""
    eliza = given(tmp_path, EXAMPLE.read_text().replace('profile = "default"', 'profile = "eliza"'))
    assert eliza.policy.kinds == ("fact",)
    text = (
        EXAMPLE.read_text()
        .replace('profile = "default"', 'profile = "review"')
        .replace('opinion = "auto"', 'opinion = "manual"')
    )
    review = given(tmp_path, text).policy.write_mode
    assert (review["fact"], review["opinion"], review["procedure"]) == ("propose", "manual", "propose")


def test_the_strict_profile_stores_less_whatever_the_rest_says(tmp_path: Path) -> None:
    """P4, P5: what the file says already more strictly stays."""
    text = (
        '[policy]\nprofile = "strict"\n[policy.min_confidence]\nfact = 0.9\nopinion = 0.71\n'
        '[policy.sensitive]\nhealth = "drop"\nreligion = "propose"\n'
    )
    policy = given(tmp_path, text).policy
    assert "recommendation" not in policy.kinds
    assert (policy.min_confidence["fact"], policy.min_confidence["opinion"]) == (0.9, 0.8)
    assert (policy.sensitive.health, policy.sensitive.religion, policy.sensitive.crime) == ("drop", "drop", "drop")
    assert given(tmp_path, '[policy]\nprofile = "strict"\n').policy.sensitive.health == "propose"


def test_the_extract_step_gets_its_policy(tmp_path: Path) -> None:
    """P3, P4, P7, W1."""
    text = (
        '[policy.write_mode_by_namespace]\n"user/health" = "propose"\n'
        '[policy.write_mode_by_source]\n"file:screen.jsonl" = "auto"\n'
        '[policy.min_confidence_by_namespace]\n"people/*" = 0.85\n'
        '[policy.namespaces]\nallow = ["user"]\ndeny = ["user/work"]\n[policy.sensitive]\nreligion = "drop"\n'
        '[policy.blocks.home]\nkinds = ["fact"]\nnamespaces = ["user/home"]\nwrite_mode = "manual"\n'
        "[policy.blocks.procedures]\nmin_confidence = 0.95\n"
    )
    storage = given(tmp_path, text).policy.storage()
    assert storage.write_mode_by_namespace == ((("user", "health"), "propose"),)
    assert storage.write_mode_by_source == {"file:screen.jsonl": "auto"}
    assert storage.confidence_min_by_namespace == ((("people", "*"), 0.85),)
    assert (storage.allow, storage.deny) == ((("user",),), (("user", "work"),))
    assert storage.sensitive == {"religion": "drop"}
    home, procedures, facts = storage.blocks
    assert home == Block("home", frozenset({"fact"}), (("user", "home"),), "manual")
    assert procedures == Block("procedures", frozenset({"procedure"}), confidence_min=0.95)
    assert facts.name == "facts"
    assert Settings().policy.storage() == StoragePolicy(write_mode_by_kind=Settings().policy.write_mode)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[windows]\nconversation_length = 1", "`windows.conversation_length` is 1, expected an integer >= 2"),
        (
            "[windows]\nconversation_length = 3.5",
            "`windows.conversation_length` is 3.5, expected an integer, got a number",
        ),
        ('[windows]\nidle_gap_seconds = "9"', "`windows.idle_gap_seconds` is '9', expected an integer, got a string"),
        ("[windows]\nlength = 3", "`windows.length` is no setting"),
        ("[windows]\nconversation_lenght = 3", "did you mean `windows.conversation_length`?"),
        ("[window]\n", "`window` is no setting; did you mean `windows`?"),
        ("windows = 3", "`windows` is 3, expected a table"),
        ("[memory]\nconfidence_floor = 0.6", "`memory.confidence_floor` is 0.6, expected a number >= 0.7"),
        ("[dead_letters]\nshare_max = 1.5", "`dead_letters.share_max` is 1.5, expected a number <= 1.0"),
        (
            '[policy]\nprofile = "lenient"',
            "`policy.profile` is 'lenient', expected one of default, review, strict, eliza",
        ),
        ('[policy]\nkinds = ["fact", "x"]', "expected one of fact, status, opinion, procedure, recommendation"),
        ('[policy.write_mode]\nfact = "ask"', "expected one of auto, propose, manual"),
        ('[policy.write_mode]\nfacts = "auto"', "expected one of fact, status, opinion, procedure, recommendation;"),
        ('[formats]\ndefault = "xml"', "`formats.default` is 'xml', expected one of auto, canonical, openai"),
        ('[formats.topics]\nchats = "xml"', "`formats.topics.chats` is 'xml', expected one of auto, canonical, openai"),
        ('[formats.fields]\nuser = "x"', "`formats.fields.user` is no field of a message, expected one of user_id"),
        ('[formats.mappings.desk]\ntxt = "a"', "`formats.mappings.desk.txt` is no setting; did you mean"),
        (
            '[formats.mappings.desk]\ntime_unit = "min"',
            "`formats.mappings.desk.time_unit` is 'min', expected one of auto",
        ),
        ("[formats.mappings.desk]\ntext = 3", "`formats.mappings.desk.text` is 3, expected a string, got an integer"),
        ('[formats.mappings.desk]\ntext = "a..b"\nuser_id = "u"\nrole = "r"', "mapping 'desk' has 'a..b' for text"),
        ('[formats.mappings.desk]\nuser_id = "u"\nrole = "r"', "mapping 'desk' has no path for text"),
        ('[formats.roles]\nguest = "visitor"', "role 'guest' is mapped to 'visitor': expected one of user, assistant"),
        (
            '[policy.write_mode]\nfact = "maybe"',
            "`policy.write_mode.fact` is 'maybe', expected one of auto, propose, manual",
        ),
        ("[policy.min_confidence]\nfact = 2", "`policy.min_confidence.fact` is 2, expected a number <= 1.0"),
        ("[policy.min_confidence]\nfoo = 0.9", "expected one of fact, status, opinion, procedure, recommendation"),
        (
            '[policy.sensitive]\nhelth = "drop"',
            "`policy.sensitive.helth` is no setting; did you mean `policy.sensitive.health`?",
        ),
        (
            '[policy.sensitive]\nhealth = "hide"',
            "`policy.sensitive.health` is 'hide', expected one of keep, propose, drop",
        ),
        ("[policy.retention_days]\nfact = -1", "`policy.retention_days.fact` is -1, expected an integer >= 0"),
        ("[policy]\nkinds = []", "`policy.kinds` is empty"),
        ('[policy.namespaces]\ndeny = ["user//health"]', "`policy.namespaces.deny` has 'user//health', expected parts"),
        ('[policy.namespaces]\ndeny = ["/"]', "`policy.namespaces.deny` has '/', expected parts between slashes"),
        (
            '[policy.write_mode_by_namespace]\n"user/he*" = "auto"',
            "`policy.write_mode_by_namespace` has 'user/he*', expected",
        ),
        (
            '[policy.blocks.home]\nnamespaces = ["user/home"]',
            "`policy.blocks.home` names no kinds, expected one or more of",
        ),
        (
            '[policy.blocks.home]\nkind = ["fact"]',
            "`policy.blocks.home.kind` is no setting; did you mean `policy.blocks.home.kinds`?",
        ),
        (
            '[kafka.client]\n"bootstrap.servers" = "b:1"\n[policy.write_mode_by_source]\nscreen = "auto"',
            "`policy.write_mode_by_source` names 'screen', expected one of kafka.topics.input (factstream",
        ),
        ('[policy.write_mode_by_source]\nimprt = "auto"', "or 'file:NAME' of an input file; did you mean 'import'?"),
        ("[policy.min_confidence]\nfacts = 0.9", "`policy.min_confidence` names 'facts', expected one of fact, status"),
        ("[memory]\nturns = true", "`memory.turns` is True, expected 'off', or a whole number, 1 or more"),
        (
            '[serve.tokens.a]\nenv = "A"\naccess = "admin"',
            "`serve.tokens.a.access` is 'admin', expected one of read, write, full",
        ),
        ('[serve.tokens.a]\nenvy = "A"', "`serve.tokens.a.envy` is no setting; did you mean `serve.tokens.a.env`?"),
        ('[extraction]\ntimezone = "Mars/Base"', "`extraction.timezone` is 'Mars/Base', expected an IANA name"),
        ('[kafka.topics]\nfacts = "factstream.events"', "`kafka.topics` names 'factstream.events' twice"),
        ("[kafka.topics]\ninput = []", "`kafka.topics.input` is [], expected a list of length >= 1"),
        ("x = ", "is not TOML"),
    ],
)
def test_a_setting_that_cannot_be_meant_is_refused_in_one_line(tmp_path: Path, text: str, complaint: str) -> None:
    """INTERFACE: exit status 2 comes with one clear line that names the place."""
    with pytest.raises(SettingsError) as refused:
        given(tmp_path, text)
    line = str(refused.value)
    assert complaint in line
    assert line.startswith(f"{tmp_path / 'factstream.toml'}: ")
    assert "\n" not in line


def test_a_bad_variable_is_named(tmp_path: Path) -> None:
    with pytest.raises(
        SettingsError, match=r"^environment variable FACTSTREAM__METRICS__PORT: `metrics\.port` is 'many'"
    ):
        given(tmp_path, "", FACTSTREAM__METRICS__PORT="many")
    with pytest.raises(SettingsError, match=r"^environment variable FACTSTREAM__METRIC__PORT: `metric` is no setting"):
        given(tmp_path, "", FACTSTREAM__METRIC__PORT="1")
    with pytest.raises(SettingsError, match="FACTSTREAM__METRICS__PORT__X: `port` holds no settings of its own"):
        given(tmp_path, "[metrics]\nport = 1", FACTSTREAM__METRICS__PORT__X="1")


def test_a_password_is_not_shown(tmp_path: Path) -> None:
    """P2."""
    with pytest.raises(SettingsError) as refused:
        given(tmp_path, '[kafka.client]\n"sasl.password" = ["geheim"]')
    assert "geheim" not in str(refused.value)


def test_a_missing_or_unreadable_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"nowhere\.toml: cannot be read \(No such file"):
        load(tmp_path / "nowhere.toml", {})
    (tmp_path / "latin.toml").write_bytes(b"# \xe4")
    with pytest.raises(SettingsError, match="is not UTF-8"):
        load(str(tmp_path / "latin.toml"), {})


def test_a_prompt_is_planned_by_blocks_over_the_usual_ones(tmp_path: Path) -> None:
    """Q2, P7"""
    (tmp_path / "frame.txt").write_text("$facts$diet")
    (tmp_path / "t.toml").write_text(
        f"[prompt]\nbudget_tokens = 900\ntemplate = '{tmp_path / 'frame.txt'}'\n"
        "[prompt.blocks.facts]\nlimit = 9\n[prompt.blocks.procedures]\nstrategy = 'off'\n"
        "[prompt.blocks.diet]\nkinds = ['opinion']\nnamespaces = ['user/preferences/food']\nstrategy = 'list'\n"
    )
    plan = load(tmp_path / "t.toml", {}).prompt.plan()
    assert [(block.name, block.strategy, block.limit) for block in plan.blocks] == [
        ("facts", "semantic", 9),
        ("procedures", "off", 4),
        ("diet", "list", 5),
    ]
    assert (plan.budget_tokens, plan.template) == (900, "$facts$diet")
    assert plan.blocks[2].namespaces == (("user", "preferences", "food"),)


@pytest.mark.parametrize(
    ("text", "told"), [("nothing", "fills nothing"), ("$memori", "fills memori"), ("5 $ !", "write")]
)
def test_a_template_that_fills_nothing_known_is_refused(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "frame.txt").write_text(text)
    (tmp_path / "t.toml").write_text(f"[prompt]\ntemplate = '{tmp_path / 'frame.txt'}'\n")
    with pytest.raises(SettingsError, match=told):
        load(tmp_path / "t.toml", {})
