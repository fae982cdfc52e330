# The dependencies are installed in a stage of their own; the image that runs has no pip cache and no tools.
FROM python:3.11.14-slim-bookworm AS dependencies
WORKDIR /opt/yamb
COPY requirements.txt ./
RUN python -m venv --without-pip .venv \
  && python -m pip --python .venv/bin/python install --no-cache-dir -r requirements.txt

# Compiler and mypy stay behind in this stage: what runs gets the compiled copy of the application alone.
FROM dependencies AS compiled
# Debian has one version of each at a time: a pin would stop the build at its next correction.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install -y --no-install-recommends gcc libc6-dev \
  && rm -rf /var/lib/apt/lists/*
COPY requirements-build.txt ./
RUN python -m pip --python .venv/bin/python install --no-cache-dir -r requirements-build.txt
COPY pyproject.toml alembic.ini ./
COPY devtools devtools
COPY migrations migrations
COPY app app
RUN .venv/bin/python -m devtools.compiling

FROM python:3.11.14-slim-bookworm
# The number is named, not the user: some hosts only accept an image whose user is visibly not root.
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin yamb
WORKDIR /opt/yamb
COPY --from=dependencies /opt/yamb/.venv .venv
COPY --from=compiled /opt/yamb/build/compiled ./
# The embedded default keeps its files in ./var; with Redis and PostgreSQL nothing is written here.
RUN install --directory --owner=10001 --group=10001 var
ENV PATH="/opt/yamb/.venv/bin:$PATH" PYTHONUNBUFFERED=1 HOST=0.0.0.0 PORT=8000
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s --retries=3 \
  CMD ["python", "-c", "import os, urllib.request as u; u.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/healthz', timeout=2)"]
CMD ["python", "-m", "app.cli", "serve"]
