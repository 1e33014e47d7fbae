# A town's service in one image: built in one stage, run in the next, never as root.
ARG BASE_IMAGE=python:3.11-slim-bookworm

FROM ${BASE_IMAGE} AS build
WORKDIR /src
RUN python3 -m venv --without-pip /opt/metes
COPY requirements.lock ./
RUN python3 -m pip --python /opt/metes install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY app ./app
COPY spatial ./spatial
COPY layers ./layers
RUN METES_PAGE_REQUIRED=1 python3 -m pip --python /opt/metes install --no-cache-dir --disable-pip-version-check --no-deps .

FROM ${BASE_IMAGE}
RUN useradd --system --uid 10001 --home-dir /nonexistent --shell /usr/sbin/nologin metes \
    && mkdir /data && chown metes /data
COPY --from=build /opt/metes /opt/metes
ENV PATH=/opt/metes/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    METES_DATA=/data
USER metes
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python3", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["metes", "serve", "--host", "0.0.0.0", "--port", "8000"]
