# The emulator and the checker in one image:
#
#   docker build -t runproof .
#   docker run --rm -p 8080:8080 -e RUNPROOF_API_KEY=secret runproof serve --host 0.0.0.0
#   docker run --rm -e RUNPROOF_API_KEY=secret -v "$PWD/reports:/work/reports" runproof check https://api.example.com/v2/my-endpoint
FROM node:22-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --no-audit --no-fund && npm pack --pack-destination /tmp

FROM node:22-slim
COPY --from=build /tmp/runproof-*.tgz /tmp/
RUN npm install --global --no-audit --no-fund --ignore-scripts /tmp/runproof-*.tgz \
  && rm -r /tmp/runproof-*.tgz /root/.npm \
  && mkdir -p /work/reports && chown -R node:node /work
USER node
WORKDIR /work
EXPOSE 8080
# Whether `serve` is ready, at its default port. For other commands the answer means nothing.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/_ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["runproof"]
CMD ["--help"]
