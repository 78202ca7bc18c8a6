"""Each mistake in environment variables is named before anything starts."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from armybuilder.settings.environment import Environment


def test_blanks_mean_nothing() -> None:
    read = Environment({"HOSTS": " a.org, b.org ,", "DAYS": " 7 ", "LEVEL": "debug", "PROXY": "0", "NONE": " "})
    assert read.read_names("HOSTS") == ["a.org", "b.org"]
    assert read.read_number("DAYS", 1) == 7
    assert read.read_number("NONE", 1) == 1
    assert read.read_choice("LEVEL", ("DEBUG", "INFO"), "INFO") == "DEBUG"
    assert (read.read_switch("PROXY"), read.read_switch("NONE")) == (False, False)
    read.raise_mistakes()


def test_all_mistakes_are_named_together() -> None:
    read = Environment({"DAYS": "0", "PORT": "many", "SIGN_UP": "shut", "PROXY": "perhaps", "KEY": " "})
    read.read_number("DAYS", 30, least=1)
    read.read_number("PORT", 25)
    read.read_choice("SIGN_UP", ("open", "closed"), "open")
    read.read_switch("PROXY")
    read.read_secret("KEY")
    with pytest.raises(ImproperlyConfigured) as said:
        read.raise_mistakes()
    for name in ("DAYS", "PORT", "SIGN_UP", "PROXY", "KEY"):
        assert f"{name}" in str(said.value)


def test_a_secret_is_read_or_created_in_its_file(tmp_path: Path) -> None:
    file = tmp_path / "var" / "secret.key"
    created = Environment({"KEY": " ", "KEY_FILE": str(file)}).read_secret("KEY")
    assert len(created) >= 50
    assert Environment({"KEY_FILE": str(file)}).read_secret("KEY") == created
    assert Environment({"KEY": "other", "KEY_FILE": str(file)}).read_secret("KEY") == "other"


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", None])
def test_a_secret_in_a_file_that_has_none_is_a_mistake(content: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "secret.key"
    if content is None:
        file.mkdir()
    else:
        file.write_bytes(content)
    read = Environment({"KEY_FILE": str(file)})
    assert read.read_secret("KEY") == ""
    with pytest.raises(ImproperlyConfigured, match="KEY_FILE"):
        read.raise_mistakes()


@pytest.mark.parametrize("host", ["https://a.org", "a.org:443", "a.org/lists"])
def test_a_host_is_a_name(host: str) -> None:
    read = Environment({"HOSTS": f"b.org,{host}"})
    read.read_hosts("HOSTS")
    with pytest.raises(ImproperlyConfigured, match="HOSTS"):
        read.raise_mistakes()


def test_folders_are_full_paths(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "data")
    assert Environment({"DIRS": f"{tmp_path}/link, /srv"}).read_folders("DIRS") == [tmp_path / "data", Path("/srv")]
    read = Environment({"DIRS": "/srv,data"})
    read.read_folders("DIRS")
    with pytest.raises(ImproperlyConfigured, match="DIRS"):
        read.raise_mistakes()


def test_hosts_addresses_and_emails_that_can_be_meant() -> None:
    variables = {
        "HOSTS": "a.org, .b.org, [::1], *",
        "DB": "postgres://u:p%40ss@h:5432/n",
        "FILE": "sqlite:////srv/x.sqlite3",
        "MAIL": "a@b.org, c@d.org",
    }
    read = Environment(variables)
    assert read.read_hosts("HOSTS") == ["a.org", ".b.org", "[::1]", "*"]
    for name in ("DB", "FILE"):
        assert read.read_address(name, ("postgres", "sqlite")) == variables[name]
    assert read.read_address("NONE", ("redis",), "x") == "x"
    assert read.read_emails("MAIL") == ["a@b.org", "c@d.org"]
    read.raise_mistakes()


@pytest.mark.parametrize(
    "address", ["mysql://u:hush@h/n", "postgres://u:hush@h:many/n", "hush", "postgres:", "redis://["]
)
def test_a_bad_address_is_named_and_not_repeated(address: str) -> None:
    read = Environment({"DATABASE_URL": address, "MAIL": "nobody"})
    read.read_address("DATABASE_URL", ("postgres", "redis"))
    read.read_emails("MAIL")
    with pytest.raises(ImproperlyConfigured) as said:
        read.raise_mistakes()
    assert "DATABASE_URL" in str(said.value)
    assert "MAIL" in str(said.value)
    assert "hush" not in str(said.value)


SERVED = {"SECRET_KEY": "x" * 60, "ALLOWED_HOSTS": "a.org"}


def start(printed: str, **variables: str) -> subprocess.CompletedProcess[str]:
    code = f"import armybuilder.settings.production as settings; print({printed})"
    environment = {"PATH": os.environ["PATH"], **SERVED, **variables}
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)


def test_counters_are_shared_by_way_of_redis_where_it_is_named(tmp_path: Path) -> None:
    run = start("settings.CACHES['default']", REDIS_URL="redis://127.0.0.1:6379/1", ARMYBUILDER_VAR=str(tmp_path))
    assert "RedisCache" in run.stdout, run.stderr


POSTGRES = "postgres://u:hush@h/n"


def test_one_machine_keeps_its_files_in_folders_and_reads_one_database(tmp_path: Path) -> None:
    printed = "settings.STORAGES['default'], list(settings.DATABASES), settings.ARMYBUILDER['PRINT_LINE_IN_DATABASE']"
    run = start(printed, ARMYBUILDER_VAR=str(tmp_path))
    assert "FileSystemStorage" in run.stdout, run.stderr
    assert run.stdout.endswith("['default'] False\n")


def test_several_machines_share_database_files_and_the_line_of_prints(tmp_path: Path) -> None:
    printed = (
        "[settings.STORAGES[name]['OPTIONS']['location'] for name in ('default', 'patient', 'shared')], "
        "settings.ARMYBUILDER['PRINT_LINE_IN_DATABASE'], settings.DATABASES['replica2']['NAME'], "
        "settings.DATABASES['replica1']['DISABLE_SERVER_SIDE_CURSORS'], settings.DATABASE_ROUTERS, "
        "[settings.DATABASES[name]['OPTIONS']['tcp_user_timeout'] for name in ('default', 'replica1', 'replica2')]"
    )
    run = start(
        printed,
        ARMYBUILDER_VAR=str(tmp_path),
        MACHINES="several",
        DATABASE_URL=POSTGRES,
        DATABASE_POOLED="1",
        REPLICA_URLS=f"{POSTGRES}, postgres://h2/other?tcp_user_timeout=900",
        S3_BUCKET="lists",
    )
    expected = "['media', 'media', 'shared'] True other True ['armybuilder.replicas.ReplicaRouter'] [5000, 5000, 900]\n"
    assert run.stdout == expected, run.stderr


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({"MACHINES": "several"}, ["PostgreSQL", "S3_BUCKET"]),
        ({"MACHINES": "many"}, ["MACHINES: many"]),
        ({"MACHINES": "several", "DATABASE_URL": POSTGRES}, ["S3_BUCKET"]),
        ({"REPLICA_URLS": POSTGRES}, ["REPLICA_URLS: only PostgreSQL"]),
        ({"DATABASE_URL": POSTGRES, "REPLICA_URLS": f"{POSTGRES},mysql://u:hush@h/n"}, ["REPLICA_URLS: not all"]),
        ({"DATABASE_URL": POSTGRES, "REPLICA_LAG_SECONDS": "0"}, ["REPLICA_LAG_SECONDS"]),
        ({"S3_BUCKET": "x", "S3_ENDPOINT": "storage.example.org"}, ["S3_ENDPOINT"]),
    ],
)
def test_settings_of_several_machines_that_do_not_fit_are_named(
    variables: dict[str, str], named: list[str], tmp_path: Path
) -> None:
    run = start("1", ARMYBUILDER_VAR=str(tmp_path), **variables)
    assert run.returncode
    assert [text for text in named if text not in run.stderr] == []
    assert "hush" not in run.stderr


@pytest.mark.parametrize(
    ("variables", "shown"),
    [({}, "True False"), ({"HSTS_SUBDOMAINS": "off"}, "False False"), ({"HSTS_PRELOAD": "1"}, "True True")],
)
def test_hosts_below_and_preloading_are_for_the_administrator_to_decide(
    variables: dict[str, str], shown: str, tmp_path: Path
) -> None:
    printed = "settings.SECURE_HSTS_INCLUDE_SUBDOMAINS, settings.SECURE_HSTS_PRELOAD"
    run = start(printed, ARMYBUILDER_VAR=str(tmp_path), **variables)
    assert run.stdout.split() == shown.split(), run.stderr


def test_failures_are_reported_to_sentry_where_it_is_named(tmp_path: Path) -> None:
    shown = "__import__('sentry_sdk').get_client().is_active(), 'send_default_pii', settings.SENTRY_DSN"
    run = start(shown, SENTRY_DSN="https://key@127.0.0.1:9/1", ARMYBUILDER_VAR=str(tmp_path))
    assert run.stdout.startswith("True"), run.stderr
    bad = start(shown, SENTRY_DSN="https://127.0.0.1/", ARMYBUILDER_VAR=str(tmp_path))
    assert bad.returncode
    assert "ImproperlyConfigured: SENTRY_DSN" in bad.stderr


def test_a_server_with_mistakes_does_not_start() -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "ALLOWED_HOSTS": " , ",
        "BEHIND_PROXY": "maybe",
        "SECRET_KEY": "x",
        "DATABASE_URL": "mysql://localhost/none",
        "ERROR_MAIL": "nobody",
    }
    run = subprocess.run(
        [sys.executable, "-c", "import armybuilder.settings.production"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode
    assert "ALLOWED_HOSTS is required" in run.stderr
    for name in ("BEHIND_PROXY", "DATABASE_URL", "ERROR_MAIL"):
        assert name in run.stderr
