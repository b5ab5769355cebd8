# The service as an image. A release names its base by digest: node scripts/pin-images.mjs asks for it and writes it here.
# What each step needs and leaves is tried without Docker: npm run rehearse:image.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund
RUN node node_modules/typescript/bin/tsc -b packages/server
RUN node scripts/build-docs.mjs
RUN node scripts/build-console.mjs
RUN node scripts/bundle-programs.mjs
# Only what the server needs stays, as the lockfile says.
RUN npm ci --omit=dev --workspace=packages/server --ignore-scripts --no-audit --no-fund
# The maps of the bundle stay: stack traces name the sources with NODE_OPTIONS=--enable-source-maps.
RUN find packages \( -name src -o -name etc -o -path '*/dist/*.map' -o -name .tsbuildinfo \) -prune -exec rm -r {} +

FROM ${NODE_IMAGE}
WORKDIR /app
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/packages ./packages
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 METRICS_PORT=9090 DATA_DIR=/data
RUN install -d -m 0700 -o node -g node /data
VOLUME /data
USER node
EXPOSE 8080 9090
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "packages/server/bin/account-import.js"]
CMD ["serve"]
