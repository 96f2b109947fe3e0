# The wheel holds the web client, which node builds; neither node nor sources go into the image.
FROM python:3.12-slim AS build
WORKDIR /src
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.12-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir "$(ls /wheels/*.whl)[postgres]" && rm -r /wheels \
 && useradd --create-home --uid 1000 foxden && install -d -o foxden -g foxden /data
USER foxden
# Compiled rules lie beside the data: a new container of the same image need not compile again.
ENV FOXDEN_HOST=0.0.0.0 FOXDEN_PORT=8100 FOXDEN_DATA=/data FOXDEN_CACHE=/data/compiled FOXDEN_LOGS=json
VOLUME /data
EXPOSE 8100
HEALTHCHECK --interval=10s --start-period=60s CMD ["python", "-c", \
  "import os, urllib.request as web; \
   web.urlopen(f'http://127.0.0.1:{os.environ[\"FOXDEN_PORT\"]}/api/health', timeout=5)"]
ENTRYPOINT ["foxden"]
CMD ["serve"]
