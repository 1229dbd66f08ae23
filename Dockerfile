# tokviz with its pages and its HTTP interface: docs/serving.md, "In a container". Nothing is compiled, and the rank tables
# of OpenAI's encodings are in assets, so that it needs no network once it is built.
FROM python:3.11-slim

WORKDIR /app
COPY requirements-app.lock ./
RUN pip install --no-cache-dir --disable-pip-version-check --root-user-action ignore \
        --require-hashes --only-binary :all: --requirement requirements-app.lock
COPY LICENSE app.py pyproject.toml ./
COPY .streamlit .streamlit
COPY assets assets
COPY pages pages
COPY tokviz tokviz
# The file system may be read-only later, and starting is quicker with compiled modules.
RUN python -m compileall -q app.py pages tokviz

# Uploads and what child processes exchange pass through /tmp; nothing else is written.
ENV HOME=/tmp PYTHONUNBUFFERED=1
USER 1000:1000
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
ENTRYPOINT ["python", "-m", "tokviz", "serve", "--host", "0.0.0.0", "--port", "8501"]
