# Servery in a container. Build the jar first:  mvn -q -DskipTests package
#
#   docker build -t servery .
#   docker run --read-only --tmpfs /run/servery:exec,uid=10001,mode=0700 --tmpfs /tmp --stop-timeout 40 -p 8000:8000 \
#       -v ./examples/site:/etc/servery:ro servery --set listener.host=0.0.0.0 --set metrics.enabled=true
FROM eclipse-temurin:25-jre

RUN groupadd --gid 10001 servery \
 && useradd --uid 10001 --gid servery --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin servery \
 && install -d -o servery -g servery -m 0700 /run/servery

# The sockets of workers and operator, for the service as for commands beside it. A read-only root needs a tmpfs there, of this
# mode and with exec: docs/operating/containers.md.
ENV SERVERY__RUNTIME__RUNTIME_DIRECTORY=/run/servery

# The AOT cache counts where this image's Java is the build's own; elsewhere an event says that it does not. The library only
# makes the start shorter. The patterns: they may be absent.
COPY --chown=root:root --chmod=0444 servery-netty/target/servery-netty.jar servery-netty/target/servery-netty.ao[t] servery-netty/target/servery-netty.s[o] /opt/servery/

# The public port of the local profile, and the admin listener, which stays inside the container.
EXPOSE 8000
USER 10001:10001
WORKDIR /etc/servery

# TERM drains and ends with 0; give the container longer than runtime.drain_timeout and thrice runtime.force_timeout to stop.
STOPSIGNAL SIGTERM

# Asks the admin listener for readiness with what the base image has: bash speaks TCP itself, so no client is needed. `status
# --ready` says the same, and starts a JVM for it.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/9090 && printf 'GET /readyz HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nConnection: close\\r\\n\\r\\n' >&3 && read -r -t 2 version status rest <&3 && [ \"$status\" = 200 ]"]

# Exec form: the JVM is process 1 and gets the signals. The command line is the one of the jar, after --config.
ENTRYPOINT ["java", "-jar", "/opt/servery/servery-netty.jar", "--config", "/etc/servery/servery.toml"]
