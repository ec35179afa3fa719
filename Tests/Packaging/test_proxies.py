"""The examples for servers in front: they are understood, and what comes through them is what Sightline said."""
import os
import shutil
import ssl
import subprocess
import time
import urllib.request

import pytest

from conftest import BINARY, ROOT, free_port, running


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A Sightline behind a server in front, by its port."""
    folder, port = tmp_path_factory.mktemp("served"), free_port()
    command = [BINARY, "serve", "--config", "none", "--port", str(port), "--database", str(folder / "d.sqlite"), "--public-url", "https://ar.example.org"]
    with running(command, port, folder / "log", cwd=folder):
        yield port


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate and its key."""
    folder = tmp_path_factory.mktemp("certificate")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1",
                    "-subj", "/CN=ar.example.org", "-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem"],
                   check=True, capture_output=True)
    (folder / "both.pem").write_text((folder / "fullchain.pem").read_text() + (folder / "privkey.pem").read_text())
    return folder


def through(port, path):
    """Status, header fields and text of a GET through a server in front."""
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    request = urllib.request.Request(f"https://127.0.0.1:{port}{path}", headers={"X-Forwarded-For": "192.0.2.1", "Host": "ar.example.org"})
    for _ in range(100):
        try:
            with urllib.request.urlopen(request, timeout=5, context=trusting) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as error:
            if error.code != 503:
                return error.code, error.headers, ""
        except OSError:
            pass
        time.sleep(0.05)
    raise AssertionError("nothing came through")


def serves(command, port):
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        status, headers, text = through(port, "/api/v1/worlds")
        assert status == 200 and text.startswith('{"worlds":[') and headers["X-Request-ID"]
        assert headers["Strict-Transport-Security"]
    finally:
        server.terminate()
        server.communicate(timeout=10)


def test_nginx_takes_its_example_and_passes_requests_on(served, certificate, tmp_path):
    program = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
    if not program:
        pytest.skip("nginx is not installed")
    port, plain = free_port(), free_port()
    with open(os.path.join(ROOT, "Examples/nginx/sightline.conf"), encoding="utf-8") as file:
        text = file.read()
    for old, new in [("127.0.0.1:8080", f"127.0.0.1:{served}"), ("listen 443", f"listen 127.0.0.1:{port}"), ("listen 80;", f"listen 127.0.0.1:{plain};"),
                     ("/etc/ssl/sightline", str(certificate))]:
        assert old in text
        text = text.replace(old, new)
    # The machine's own IPv6 is no matter of this test.
    text = "".join(line for line in text.splitlines(True) if "[::]" not in line)
    (tmp_path / "sightline.conf").write_text(text)
    (tmp_path / "nginx.conf").write_text(
        f"pid {tmp_path}/pid; error_log stderr; daemon off; events {{}}\nhttp {{ access_log off; client_body_temp_path {tmp_path}/b; proxy_temp_path {tmp_path}/p; "
        f"fastcgi_temp_path {tmp_path}/f; uwsgi_temp_path {tmp_path}/u; scgi_temp_path {tmp_path}/s; include {tmp_path}/sightline.conf; }}\n")
    checked = subprocess.run([program, "-t", "-c", tmp_path / "nginx.conf"], capture_output=True, text=True)
    assert checked.returncode == 0 and "[warn]" not in checked.stderr, checked.stderr
    serves([program, "-c", str(tmp_path / "nginx.conf")], port)


def test_haproxy_takes_its_example_and_passes_requests_on(served, certificate, tmp_path):
    program = shutil.which("haproxy", path=os.environ["PATH"] + ":/usr/sbin")
    if not program:
        pytest.skip("haproxy is not installed")
    port, plain = free_port(), free_port()
    with open(os.path.join(ROOT, "Examples/haproxy/haproxy.cfg"), encoding="utf-8") as file:
        text = file.read()
    for old, new in [("127.0.0.1:8080", f"127.0.0.1:{served}"), ("bind :443", f"bind 127.0.0.1:{port}"), ("bind :80\n", f"bind 127.0.0.1:{plain}\n"),
                     ("/etc/haproxy/sightline.pem", str(certificate / "both.pem")), ("  maxconn 8000", "  maxconn 200")]:
        assert old in text
        text = text.replace(old, new)
    (tmp_path / "haproxy.cfg").write_text(text)
    checked = subprocess.run([program, "-c", "-f", tmp_path / "haproxy.cfg"], capture_output=True, text=True)
    assert checked.returncode == 0 and "WARNING" not in checked.stderr + checked.stdout, checked.stderr + checked.stdout
    serves([program, "-f", str(tmp_path / "haproxy.cfg")], port)
