"""The servers that are compared: where each comes from, its command, its configuration.

All serve the same folder, plain HTTP/1.1, access log off, one processor, descriptors and connections for the largest
workload. nginx runs twice: with sendfile, as it is usually run, and without, its best setting for small files.
"""
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from functools import partial
from typing import Callable, Optional

from . import jdk, places

CONNECTIONS_MAX = 12_000
NGINX = "nginx"
NGINX_NOSENDFILE = "nginx-nosendfile"
OURS = "servery"


class Missing(Exception):
    """A server cannot take part; the message says what to install."""


@dataclass(frozen=True)
class Definition:
    """One server.

    command(port) gives the words that start it in the foreground; what it needs is looked for there, and Missing says
    what is not."""

    name: str
    command: Callable[[int], list]
    jvm: bool = False
    tls: bool = False
    environment: dict = field(default_factory=dict)


def _binary(name, package):
    path = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
    if path is None:
        raise Missing(f"`{name}` is not installed; Debian's package {package} has it")
    return path


def need_wrk():
    return _binary("wrk", "wrk")


def need_openssl():
    return _binary("openssl", "openssl")


def _written(name, text):
    path = os.path.join(places.RUN, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


# As operators have it: sessions in tickets, and in a cache for clients of TLS 1.2 that take none.
NGINX_TLS = f"""
  ssl_certificate {places.CERTIFICATE}; ssl_certificate_key {places.KEY}; ssl_protocols TLSv1.2 TLSv1.3;
  ssl_session_tickets on; ssl_session_cache shared:tls:10m; ssl_session_timeout 1h;"""


def _nginx(name, sendfile, tls=False):
    def command(port):
        binary = _binary("nginx", "nginx")
        ssl = " ssl" if tls else ""
        conf = _written(f"{name}{'-tls' if tls else ''}.conf", f"""\
daemon off; worker_processes 1; pid {places.RUN}/{name}.pid; error_log stderr error;
events {{ worker_connections {CONNECTIONS_MAX}; }}
http {{
  sendfile {sendfile}; access_log off; server_tokens off;
  keepalive_requests 100000000; keepalive_timeout 300;
  open_file_cache max=1000 inactive=300s; open_file_cache_valid 300s;
  types {{ text/plain txt; }} default_type application/octet-stream;{NGINX_TLS if tls else ""}
  server {{ listen 127.0.0.1:{port}{ssl} backlog=4096; root {places.SITE}; }}
}}
""")
        return [binary, "-p", places.RUN, "-c", conf]

    return command


def _lighttpd(port, tls=False):
    binary = _binary("lighttpd", "lighttpd")
    ssl = f"""\
server.modules = ("mod_openssl")
ssl.engine = "enable"
ssl.pemfile = "{places.CERTIFICATE}"
ssl.privkey = "{places.KEY}"
""" if tls else ""
    conf = _written("lighttpd.conf", f"""\
{ssl}\
server.document-root = "{places.SITE}"
server.bind = "127.0.0.1"
server.port = {port}
server.max-keep-alive-requests = 100000000
server.max-keep-alive-idle = 300
server.max-fds = {CONNECTIONS_MAX + 4000}
server.max-connections = {CONNECTIONS_MAX}
server.listen-backlog = 4096
server.errorlog = "/dev/null"
mimetype.assign = (".txt" => "text/plain", "" => "application/octet-stream")
""")
    return [binary, "-D", "-f", conf]


def _h2o(port, tls=False):
    binary = _binary("h2o", "h2o")
    ssl = f"""\
  ssl:
    certificate-file: {places.CERTIFICATE}
    key-file: {places.KEY}
    ocsp-update-interval: 0
""" if tls else ""
    user = "user: root\n" if os.geteuid() == 0 else ""
    conf = _written("h2o.conf", f"""\
{user}num-threads: 1
max-connections: {CONNECTIONS_MAX}
http1-request-timeout: 300
error-log: /dev/null
listen:
  host: 127.0.0.1
  port: {port}
{ssl}\
hosts:
  default:
    paths:
      "/":
        file.dir: {places.SITE}
""")
    return [binary, "-c", conf]


def _caddy(port, tls=False):
    binary = _binary("caddy", "caddy")
    # Not every generator names a host.
    site, ssl = (f":{port}", f"  tls {places.CERTIFICATE} {places.KEY}\n") if tls else (f"http://127.0.0.1:{port}", "")
    conf = _written("Caddyfile", f"""\
{{
  admin off
  auto_https off
  log {{
    level ERROR
  }}
  servers {{
    protocols h1
  }}
}}
{site} {{
{ssl}\
  bind 127.0.0.1
  root * {places.SITE}
  file_server
}}
""")
    return [binary, "run", "--config", conf, "--adapter", "caddyfile"]


def java(*words):
    try:
        return [os.path.join(jdk.find(), "bin", "java"), *words]
    except jdk.NoJdk as no:
        raise Missing(str(no)) from no


def _rival_jar(name):
    """Builds a rival of the JVM from its pom, unless what is there is as new as its sources; its class path."""
    source = os.path.join(places.BENCH, "servers", name)
    built = os.path.join(places.RIVALS, name)
    stamp = os.path.join(built, "built")
    newest = max(os.path.getmtime(os.path.join(folder, file)) for folder, _, files in os.walk(source) for file in files)
    if not os.path.exists(stamp) or os.path.getmtime(stamp) < newest:
        maven = _binary("mvn", "maven")
        print(f"building {name} (once)", flush=True)
        done = subprocess.run([maven, "-q", "-B", "-f", os.path.join(source, "pom.xml"), "package"], text=True,
                              capture_output=True, check=False, env={**os.environ, "JAVA_HOME": jdk.find()})
        if done.returncode:
            said = (done.stdout + done.stderr).strip().splitlines()
            raise Missing(f"Maven could not build bench/servers/{name}: {said[0] if said else 'no reason given'}")
        with open(stamp, "w", encoding="utf-8"):
            pass
    return os.path.join(built, "lib", "*") + os.pathsep + os.path.join(built, f"{name}.jar")


def _rival(name, main):
    def command(port):
        words = java("-Xms64m", "-Xmx256m", "--enable-native-access=ALL-UNNAMED",
                     "--sun-misc-unsafe-memory-access=allow", "-cp", _rival_jar(name), main)
        return [*words, str(port), places.SITE]

    return command


def jar():
    if not os.path.exists(places.JAR):
        raise Missing("servery-netty/target/servery-netty.jar is not built; `mvn -q -DskipTests package` makes it")
    return places.JAR


def ours(port, folder=places.SITE, settings=()):
    """Servery as a user starts it, but for the number of connections that the workloads need."""
    words = java("-jar", jar(), "serve", folder, "--port", str(port), "--no-access")
    for setting in (f"resources.max_connections={CONNECTIONS_MAX}", *settings):
        words += ["--set", setting]
    return words


# In this order ours runs beside both baselines in every rotation.
ALL = (
    Definition(NGINX_NOSENDFILE, _nginx(NGINX_NOSENDFILE, "off")),
    Definition(OURS, ours, jvm=True),
    Definition(NGINX, _nginx(NGINX, "on")),
    Definition("lighttpd", _lighttpd),
    Definition("h2o", _h2o),
    Definition("caddy", _caddy),
    Definition("undertow", _rival("undertow", "UndertowFiles"), jvm=True),
    Definition("jetty", _rival("jetty", "JettyFiles"), jvm=True),
)

# Over TLS, all with the one certificate. There is no sendfile beneath it, so nginx is there once. Ours is a service with
# its parent, which is what reads the certificate: see tls.py.
TLS = (
    Definition(OURS, ours, jvm=True, tls=True),
    Definition(NGINX, _nginx(NGINX, "on", tls=True), tls=True),
    Definition("lighttpd", partial(_lighttpd, tls=True), tls=True),
    Definition("h2o", partial(_h2o, tls=True), tls=True),
    Definition("caddy", partial(_caddy, tls=True), tls=True),
)


def chosen(names: Optional[str], among=ALL):
    """The definitions with these names, comma-separated; all without."""
    if not names:
        return list(among)
    known = {definition.name: definition for definition in among}
    wanted = names.split(",")
    for name in wanted:
        if name not in known:
            raise SystemExit(f"--only: found `{name}`; expected some of {', '.join(known)}")
    return [definition for definition in among if definition.name in wanted]
