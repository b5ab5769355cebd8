// Draws docs/pictures/import.svg: the demo, run against a server of its own and captured from a terminal.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCli } from '../packages/server/dist/index.js'
import { generate, steps, typed } from './demo/steps.mjs'
import { makeScreen } from './picture/screen.mjs'
import { svgOf } from './picture/svg.mjs'

const server = 'packages/server/dist/main.js'
/** What differs from place to place is shown as in the README. */
const asInReadme = (text, url, data) => text.replaceAll(url, 'http://127.0.0.1:8080').replaceAll(data, 'data')

const startServer = async (data) => {
  const child = spawn(process.execPath, [server, 'serve', '--demo', '--json'], {
    env: { ...process.env, PORT: '0', DATA_DIR: data, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  return { child, url: JSON.parse(String(line)).address }
}

/** Types each command line on a screen and runs it there. */
const perform = async (url, data) => {
  const screen = makeScreen()
  for (const args of steps(url, data)) {
    screen.write(`${typed(args.map((arg) => asInReadme(arg, url, data)))}\n`)
    const shown = (text) => screen.write(asInReadme(text, url, data))
    const code = await runCli(args, {
      environment: process.env,
      out: shown,
      err: shown,
      terminal: screen.stream,
    })
    if (code > 1) throw new Error(`${typed(args)} ended with ${code}`)
    screen.write('\n')
  }
  return screen.frames()
}

/** A run of any length becomes so many frames, shown within so many seconds. */
const [mostFrames, mostSeconds] = [24, 8]

const chosen = (frames) => {
  const whole = frames.at(-1).milliseconds / 1000
  const pace = Math.min(1, mostSeconds / whole)
  const kept = []
  for (const { milliseconds, lines } of frames.toReversed()) {
    const seconds = (milliseconds / 1000) * pace
    const isApart = kept.length === 0 || kept[0].seconds - seconds >= (whole * pace) / mostFrames
    if (isApart) kept.unshift({ seconds, lines })
  }
  return kept
}

const data = mkdtempSync(join(tmpdir(), 'account-import-picture-'))
try {
  spawnSync(process.execPath, ['examples/generate-accounts/dist/main.js', ...generate(data)], {
    stdio: 'inherit',
  })
  const { child, url } = await startServer(data)
  const frames = await perform(url, data)
  child.kill('SIGTERM')
  await once(child, 'exit')
  mkdirSync('docs/pictures', { recursive: true })
  writeFileSync(
    'docs/pictures/import.svg',
    svgOf(chosen(frames), 'An import of a thousand accounts by account-import import'),
  )
} finally {
  rmSync(data, { recursive: true })
}
