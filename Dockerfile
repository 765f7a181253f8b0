# Articulado: page, worker and command line. `docker compose up` (compose.yaml), or docs/servers.md.
FROM python:3.11-slim-bookworm
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 OMP_WAIT_POLICY=PASSIVE
WORKDIR /srv/articulado
COPY requirements.txt .
RUN pip install -r requirements.txt
COPY . .
RUN useradd --system --uid 10001 --home-dir /var/lib/articulado --create-home articulado \
    && install -d -o articulado /backups
USER articulado
ENV ARTICULADO_HOME=/var/lib/articulado
VOLUME /var/lib/articulado /backups
EXPOSE 8501
# Exec form: the server itself gets the signal to stop, and lets answers under way end.
CMD ["python", "-m", "streamlit", "run", "app.py", "--server.address", "0.0.0.0", "--server.port", "8501"]
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8501/salud/listo', timeout=4)"]
