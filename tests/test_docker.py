"""What can be known of the container files without an engine; their form is checked by `dev.py check`."""

import json
import re
from ipaddress import IPv4Address, IPv4Network
from typing import Any

import pytest
from ruamel.yaml import YAML

from app.config import Settings, load_settings, variable_of
from devtools.compiling import COMPILED
from tests.servers import ROOT, AppServer

Service = dict[str, Any]
# Where it listens stands in the Dockerfile; its disk is read-only, and nothing is written.
KEPT_BY_THE_IMAGE = {"YAMB_HOST", "YAMB_PORT", "YAMB_DATA_DIR"}
# They lead to the other services, which have variables of their own.
JOINING = {"YAMB_DATABASE_URL", "YAMB_REDIS_URL", "YAMB_TRUSTED_PROXIES"}
PINNED = re.compile(r"^[a-z]+:\d+\.\d+(\.\d+)?-[a-z-]+$")
# What the image is built with. The first two are how dev.py makes its environment, on every machine.
BUILD_COMMANDS = (
    "python -m venv --without-pip .venv",
    "python -m pip --python .venv/bin/python install --no-cache-dir -r requirements.txt",
    "apt-get update",
    "apt-get install -y --no-install-recommends gcc libc6-dev",
    "rm -rf /var/lib/apt/lists/*",
    "python -m pip --python .venv/bin/python install --no-cache-dir -r requirements-build.txt",
    ".venv/bin/python -m devtools.compiling",
    "useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin yamb",
    "install --directory --owner=10001 --group=10001 var",
)


@pytest.fixture(scope="module")
def stages() -> list[list[tuple[str, str]]]:
    """The Dockerfile's instructions, by stage."""
    text = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text())
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    found: list[list[tuple[str, str]]] = []
    for line in lines:
        name, _, value = line.partition(" ")
        if name == "FROM":
            found.append([])
        found[-1].append((name, value))
    return found


@pytest.fixture(scope="module")
def composed() -> dict[str, Any]:
    """Everything in docker-compose.yml."""
    loaded: dict[str, Any] = YAML(typ="safe").load(ROOT / "docker-compose.yml")
    return loaded


@pytest.fixture(scope="module")
def services(composed: dict[str, Any]) -> dict[str, Service]:
    """Its services."""
    found: dict[str, Service] = composed["services"]
    return found


def values(stage: list[tuple[str, str]], name: str) -> list[str]:
    """The values of one instruction in a stage."""
    return [value for instruction, value in stage if instruction == name]


def starts_after(service: Service) -> dict[str, str]:
    """Which services it waits for, and until they are what."""
    return {name: wait["condition"] for name, wait in service.get("depends_on", {}).items()}


def test_every_base_image_is_pinned(stages: list[list[tuple[str, str]]]) -> None:
    named = [values(stage, "FROM")[0].split(" AS ") for stage in stages]
    stage_names = {name for _, *names in named for name in names}
    images = [image for image, *_ in named if image not in stage_names]
    assert images
    assert [image for image in images if not PINNED.match(image)] == []


def test_the_image_runs_what_the_tests_start(stages: list[list[tuple[str, str]]]) -> None:
    _, *arguments = AppServer().command()
    assert json.loads(values(stages[-1], "CMD")[0]) == ["python", *arguments]


def test_the_image_does_not_run_as_root(stages: list[list[tuple[str, str]]]) -> None:
    assert values(stages[-1], "USER")[-1] == "10001:10001"


def test_the_last_stage_installs_nothing(stages: list[list[tuple[str, str]]]) -> None:
    assert [run for run in values(stages[-1], "RUN") if re.search(r"\b(pip|apt-get|venv)\b", run)] == []


def test_the_image_has_the_compiled_application_and_neither_compiler_nor_mypy(
    stages: list[list[tuple[str, str]]],
) -> None:
    folder = COMPILED.relative_to(ROOT)
    assert values(stages[-1], "COPY") == [
        "--from=dependencies /opt/yamb/.venv .venv",
        f"--from=compiled /opt/yamb/{folder} ./",
    ]
    dependencies, compiled, _ = stages
    assert "requirements-build.txt" in str(compiled)
    assert "requirements-build.txt" not in str(dependencies)


def test_every_build_step_is_a_known_command(stages: list[list[tuple[str, str]]]) -> None:
    runs = [step.strip() for stage in stages for run in values(stage, "RUN") for step in run.split("&&")]
    assert tuple(runs) == BUILD_COMMANDS


def test_everything_the_image_copies_is_sent_and_there(stages: list[list[tuple[str, str]]]) -> None:
    copies = [copy for stage in stages for copy in values(stage, "COPY") if "--from" not in copy]
    sources = [source for copy in copies for source in copy.split()[:-1]]
    sent = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert set(sources) == sent
    assert [source for source in sources if not (ROOT / source).exists()] == []


def test_the_image_says_when_it_is_well(stages: list[list[tuple[str, str]]]) -> None:
    health = values(stages[-1], "HEALTHCHECK")[0]
    program, option, code = json.loads(health[health.index("[") :])
    assert (program, option) == ("python", "-c")
    assert "/healthz" in code
    compile(code, "HEALTHCHECK", "exec")


def test_the_services_are_the_application_its_migration_its_proxy_and_its_two_servers(
    services: dict[str, Service],
) -> None:
    assert set(services) == {"app", "migrate", "postgres", "proxy", "redis"}


def test_there_may_be_several_of_the_application_since_only_the_proxy_has_a_port(
    services: dict[str, Service],
) -> None:
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    assert "container_name" not in services["app"]
    assert starts_after(services["proxy"]) == {"app": "service_healthy"}
    assert services["proxy"]["ports"] == ["${YAMB_PORT:-8000}:8080"]


def test_the_proxy_runs_the_file_that_is_tried_without_rights(services: dict[str, Service]) -> None:
    proxy = services["proxy"]
    assert proxy["volumes"] == ["./deploy/nginx.conf:/etc/nginx/nginx.conf:ro"]
    text = (ROOT / "deploy" / "nginx.conf").read_text()
    assert "listen 8080;" in text
    assert "set $servers app:8000;" in text
    assert re.findall(r"(?:pid|_path) (/\w+)/", text) == ["/tmp"] * 6  # noqa: S108 - of the container
    assert proxy["tmpfs"] == ["/tmp"]  # noqa: S108
    assert (proxy["user"], proxy["read_only"], proxy["cap_drop"]) == ("101:101", True, ["ALL"])
    assert PINNED.match(proxy["image"])


def chosen(value: str) -> str:
    """What a value of docker-compose.yml is where nothing else is chosen."""
    return re.sub(r"\$\{\w+:-(.*?)\}", r"\1", value)


def test_servers_believe_the_proxy_alone_and_nobody_else_can_have_its_address(
    composed: dict[str, Any], services: dict[str, Service]
) -> None:
    (network,) = composed["networks"]["default"]["ipam"]["config"]
    trusted = services["app"]["environment"]["YAMB_TRUSTED_PROXIES"]
    assert services["proxy"]["networks"]["default"]["ipv4_address"] == trusted
    proxy = IPv4Address(chosen(trusted))
    assert proxy in IPv4Network(chosen(network["subnet"]))
    assert proxy not in IPv4Network(chosen(network["ip_range"]))
    assert IPv4Network(chosen(network["ip_range"])).subnet_of(IPv4Network(chosen(network["subnet"])))
    assert Settings(trusted_proxies=(str(proxy),)).trusted_proxies == (str(proxy),)


def test_every_setting_can_be_chosen_but_those_that_join_the_services(services: dict[str, Service]) -> None:
    given = services["app"]["environment"]
    settings = {variable_of(field) for field in Settings.model_fields}
    assert settings - set(given) == KEPT_BY_THE_IMAGE
    assert set(given) <= settings
    for name in set(given) - JOINING:
        assert re.fullmatch(rf"\$\{{{name}:-\w*\}}", given[name]), name


def test_what_is_not_chosen_is_the_applications_default(
    services: dict[str, Service], monkeypatch: pytest.MonkeyPatch
) -> None:
    for field in Settings.model_fields:
        monkeypatch.delenv(variable_of(field), raising=False)
    default = Settings().model_dump()
    for name in set(services["app"]["environment"]) - JOINING:
        monkeypatch.setenv(name, chosen(services["app"]["environment"][name]))
    assert load_settings().model_dump() == default | {"log_format": "json"}


def test_every_service_has_bounds_of_memory_processes_and_logs(services: dict[str, Service]) -> None:
    for name, service in services.items():
        assert size(chosen(service["mem_limit"])) >= 2**28, name
        assert 0 < service["pids_limit"] <= 256, name
        assert set(service["logging"]["options"]) == {"max-size", "max-file"}, name


def test_redis_refuses_moves_long_before_the_system_ends_it(services: dict[str, Service]) -> None:
    command = services["redis"]["command"]
    held = size(chosen(command[command.index("--maxmemory") + 1]))
    assert 2 * held <= size(chosen(services["redis"]["mem_limit"]))


def size(text: str) -> int:
    """Bytes, of what docker and Redis both understand."""
    number, unit = re.fullmatch(r"(\d+)([mg])b?", text).groups()  # type: ignore[union-attr]
    return int(number) * {"m": 2**20, "g": 2**30}[unit]


def test_every_variable_that_can_be_chosen_is_in_the_example() -> None:
    asked = set(re.findall(r"\$\{(\w+):", (ROOT / "docker-compose.yml").read_text()))
    offered = set(re.findall(r"^(\w+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))
    assert asked == offered


def test_the_application_starts_after_its_servers_and_after_one_migration(
    services: dict[str, Service],
) -> None:
    assert starts_after(services["app"]) == {
        "migrate": "service_completed_successfully",
        "postgres": "service_healthy",
        "redis": "service_healthy",
    }
    assert starts_after(services["migrate"]) == {"postgres": "service_healthy"}
    assert services["migrate"]["command"] == ["python", "-m", "app.cli", "migrate"]
    assert services["migrate"]["restart"] == "no"


def test_the_servers_say_when_they_are_well_and_keep_their_data(services: dict[str, Service]) -> None:
    for name in ("postgres", "redis"):
        assert services[name]["healthcheck"]["test"]
        assert services[name]["volumes"][0].startswith(f"{name}:/")
        assert PINNED.match(services[name]["image"])


def test_redis_keeps_every_room_on_disk_and_drops_none(services: dict[str, Service]) -> None:
    command = services["redis"]["command"]
    assert command[command.index("--appendonly") + 1] == "yes"
    assert command[command.index("--maxmemory-policy") + 1] == "noeviction"
    assert command[command.index("--appendfsync") + 1] == "${REDIS_APPENDFSYNC:-everysec}"


@pytest.mark.parametrize("name", ["app", "migrate"])
def test_both_of_ours_get_the_same_settings_and_no_rights(services: dict[str, Service], name: str) -> None:
    assert set(services[name]["environment"]) >= {"YAMB_DATABASE_URL", "YAMB_REDIS_URL"}
    assert services[name]["environment"] == services["app"]["environment"]
    assert services[name]["cap_drop"] == ["ALL"]
    assert services[name]["read_only"] is True


def test_the_database_password_must_be_chosen() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    asked = re.findall(r"\$\{POSTGRES_PASSWORD[^}]*\}", text)
    assert asked
    assert all(re.match(r"\$\{POSTGRES_PASSWORD:\?.+\}", one) for one in asked)
    assert re.search(r"^POSTGRES_PASSWORD=$", (ROOT / ".env.example").read_text(), re.MULTILINE)
