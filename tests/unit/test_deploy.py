"""The files for servers agree with the program and with each other."""

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from loading.ingestion.uploads import MAX_FILE_BYTES
from service.config import Settings
from web.api.application import MOST_STORED
from web.api.following import BEAT_SECONDS

ROOT = Path(__file__).parents[2]
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
SERVICES = COMPOSE["services"]
NGINX = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")


def test_compose_sets_only_settings_that_exist():
    known = {name.upper() for name in Settings.model_fields}
    for name in ("app-1", "app-2"):
        assert set(SERVICES[name]["environment"]) <= known


def test_compose_pins_images_and_publishes_the_proxy_alone():
    for name, service in SERVICES.items():
        image = service.get("image", "")
        assert "build" in service or re.search(r":v?\d", image), name
        assert ("ports" in service) == (name == "nginx")
    assert SERVICES["nginx"]["ports"] == ["${PUBLISH:-127.0.0.1:8443}:443"]


def test_compose_has_every_volume_and_network_that_it_uses():
    for service in SERVICES.values():
        named = {volume.split(":")[0] for volume in service.get("volumes", ()) if volume[0].isalpha()}
        assert named <= set(COMPOSE["volumes"])
        assert set(service["networks"]) <= set(COMPOSE["networks"])


def test_no_secret_stands_in_the_files_for_servers():
    for text in ((ROOT / "compose.yaml").read_text("utf-8"), NGINX, (ROOT / "Dockerfile").read_text("utf-8")):
        assert not re.search(r"(?i)(password|api_key|secret)\s*[:=]\s*[\"']?[A-Za-z0-9]{6,}", text)


def test_the_proxy_knows_the_processes_of_compose_and_hides_the_measurements():
    assert set(re.findall(r"server (app-\d):8501", NGINX)) == {"app-1", "app-2"}
    assert re.search(r"location = /metricas \{ return 404; \}", NGINX)


def test_the_proxy_asks_the_other_process_for_files_of_a_page_that_the_first_does_not_know():
    (block,) = re.findall(r"location ~ \^/\(_stcore/upload_file\|media\)/ \{([^}]*)\}", NGINX)
    assert re.search(r"proxy_next_upstream [^;]*http_403 http_404;", block)
    assert "proxy_set_header" not in block, "one here would drop all that are set for the whole server"


def test_what_nginx_logs_quotes_no_address_of_a_page():
    assert "access_log off;" in NGINX
    assert "error_log stderr crit;" in NGINX


def test_keys_are_seen_by_those_alone_who_use_them():
    for name in ("app-1", "app-2"):
        (mounted,) = [volume for volume in SERVICES[name]["volumes"] if "/run/tls" in volume]
        assert mounted.endswith("/ca.crt:/run/tls/ca.crt:ro")
    for name, suffixes in {
        "nginx": {"articulado.crt", "articulado.key"},
        "qdrant": {"qdrant.crt", "qdrant.key"},
    }.items():
        given = {
            volume.split("/")[-1].removesuffix(":ro")
            for volume in SERVICES[name]["volumes"]
            if "TLS" in volume
        }
        assert given == suffixes, "neither has the key of the other"
    for ignored in (".dockerignore", ".gitignore"):
        assert "deploy/tls" in (ROOT / ignored).read_text("utf-8")


def test_no_backup_key_or_database_goes_into_the_image():
    ignored = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert {"**/*.zip", "**/*.key", "**/*.pem", "**/*.db", "**/.env*", ".articulado"} <= set(ignored)


def test_every_service_has_bounds():
    for name, service in SERVICES.items():
        assert {"mem_limit", "pids_limit"} <= service.keys(), name


def test_the_proxy_bounds_requests_and_takes_the_files_that_the_page_takes():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert config["server"]["maxUploadSize"] * 2**20 == MAX_FILE_BYTES
    whole, files = map(int, re.findall(r"client_max_body_size (\d+)m;", NGINX))
    assert whole * 10**6 > MOST_STORED and files > config["server"]["maxUploadSize"]
    assert re.search(r"limit_req zone=requests .*;\n\s+limit_conn connections \d+;\n\s+gzip off;", NGINX)
    assert "proxy_buffering off;" in NGINX and BEAT_SECONDS <= 25


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
def test_nginx_accepts_its_configuration(tmp_path):
    key, certificate = tmp_path / "articulado.key", tmp_path / "articulado.crt"
    request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"]
    subprocess.run([*request, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    text = re.sub(r"app-\d:", "127.0.0.1:", NGINX).replace("/etc/nginx/tls", str(tmp_path))
    file = tmp_path / "nginx.conf"
    file.write_text(f"pid {tmp_path}/pid;\nerror_log stderr;\n{text}")
    command = ["nginx", "-t", "-c", str(file), "-p", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.skipif(shutil.which("docker-compose") is None, reason="docker-compose is not installed")
def test_compose_is_accepted_once_what_it_requires_is_there(tmp_path):
    shutil.copy(ROOT / "compose.yaml", tmp_path)
    example = (ROOT / ".env.example").read_text("utf-8")
    values = {"PUBLIC_URL": "https://a.example", "POSTGRES_PASSWORD": "p", "QDRANT_API_KEY": "k"}
    plain = {"PATH": os.environ["PATH"]}
    command = ["docker-compose", "--project-directory", str(tmp_path), "config", "--quiet"]

    def check(given):
        lines = "".join(f"\n{name}={value}" for name, value in given.items())
        (tmp_path / ".env").write_text(example + lines)
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env=plain)

    assert check(values).returncode == 0
    for name in values:
        refused = check({key: value for key, value in values.items() if key != name})
        assert refused.returncode and name in refused.stderr
