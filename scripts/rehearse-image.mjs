// Simulates `docker build` and `docker run --read-only` of the Dockerfile without Docker. Each stage is an empty root, in which
// its steps run in order. Then the service is started as its user, probed by the health check of the image, used once from
// outside, and ended. Needs root on Linux, to change the root folder of processes.
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { emptyRoot, startIn } from './image/box.mjs'
import { copyContext } from './image/context.mjs'
import { stagesOf } from './image/dockerfile.mjs'

if (process.platform !== 'linux' || process.getuid() !== 0) {
  console.error('the image cannot be rehearsed here: that needs root on Linux')
  process.exit(process.env.REQUIRE_SERVERS === '1' ? 1 : 0)
}

const finished = async (child) => {
  const [code] = await once(child, 'exit')
  return code
}

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}

/** Runs the steps of a stage in a root of its own; returns the settings with which the image is started. */
const build = async (folder, { name, steps }, roots) => {
  const root = emptyRoot(join(folder, name ?? 'image'))
  const image = { root, workdir: '/', env: {}, user: undefined }
  const perform = {
    ARG: () => undefined,
    EXPOSE: () => undefined,
    WORKDIR: (rest) => {
      image.workdir = rest
      mkdirSync(join(root, rest), { recursive: true })
    },
    COPY: (rest) => {
      const [, from, source, target] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(rest)
      if (from === undefined) copyContext(join(root, image.workdir))
      else {
        const copied = join(
          root,
          image.workdir,
          target.endsWith('/') ? join(target, basename(source)) : target,
        )
        cpSync(join(roots[from], source), copied, { recursive: true, verbatimSymlinks: true })
      }
    },
    RUN: async (rest) => {
      const code = await finished(startIn({ ...image, args: ['sh', '-c', rest] }))
      if (code !== 0) throw new Error(`RUN ${rest}: exit ${code}`)
    },
    ENV: (rest) => {
      for (const [, key, value] of rest.matchAll(/(\w+)=(\S+)/g)) image.env[key] = value
    },
    VOLUME: (rest) => (image.volume = rest),
    USER: (rest) => (image.user = rest),
    HEALTHCHECK: (rest) => (image.health = JSON.parse(rest.replace(/^.*? CMD /, ''))),
    ENTRYPOINT: (rest) => (image.entrypoint = JSON.parse(rest)),
    CMD: (rest) => (image.command = JSON.parse(rest)),
  }
  for (const { instruction, rest } of steps) {
    console.log(`${instruction} ${rest}`)
    await perform[instruction](rest)
  }
  return image
}

const expect = (what, holds) => {
  if (!holds) throw new Error(`not so: ${what}`)
  console.log(`ok: ${what}`)
}

/** Starts the image with a read-only root, and uses it. */
const tryOut = async (image) => {
  const port = await freePort()
  const env = {
    ...image.env,
    HOST: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'error',
    DATABASE_URL: 'sqlite:/data/account-import.sqlite',
    METRICS_PORT: String(await freePort()),
    PAYMENT_VENDORS: 'none',
  }
  const inImage = (args, more = {}) => startIn({ ...image, env, readOnly: true, args, ...more })
  const command = (...args) => finished(inImage([...image.entrypoint, ...args]))
  expect(
    'without PAYMENT_VENDORS it does not start',
    (await finished(
      inImage([...image.entrypoint, ...image.command], {
        env: { ...env, PAYMENT_VENDORS: '' },
        stdio: 'ignore',
      }),
    )) === 2,
  )
  expect('commands run in it', (await command('organisation', 'create', 'ACME', '--json')) === 0)
  expect(
    'nothing but its volume can be written',
    (await finished(inImage(['touch', '/app/x'], { stdio: 'ignore' }))) !== 0,
  )
  const service = inImage([...image.entrypoint, ...image.command])
  const ended = finished(service)
  try {
    let healthy = 1
    for (let tries = 0; tries < 60 && healthy !== 0; tries += 1) {
      await delay(500)
      healthy = await finished(inImage(image.health, { stdio: 'ignore' }))
    }
    expect('its health check says that it is healthy', healthy === 0)
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`)
    expect('it is ready, and is reached from outside', ready.status === 200)
    const page = await fetch(`http://127.0.0.1:${port}/docs/how-to/operate/`)
    expect('its documentation is in it', page.status === 200)
    service.kill('SIGTERM')
    expect('it ends with 0 at SIGTERM', (await ended) === 0)
    expect('then its health check fails', (await finished(inImage(image.health, { stdio: 'ignore' }))) === 1)
  } finally {
    service.kill('SIGKILL')
  }
}

const folder = mkdtempSync(join(tmpdir(), 'image-'))
try {
  const roots = {}
  let image
  for (const stage of stagesOf(readFileSync('Dockerfile', 'utf8'))) {
    image = await build(folder, stage, roots)
    if (stage.name !== undefined) roots[stage.name] = image.root
  }
  await tryOut(image)
} finally {
  rmSync(folder, { recursive: true })
}
