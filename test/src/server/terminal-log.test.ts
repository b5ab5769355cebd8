import { spawn } from 'node:child_process'
import test from 'ava'
import { outcomeOf } from '../support/cli-process.js'

const dist = new URL('./', import.meta.resolve('@account-import/server')).href

/** What a process writes to a log whose stderr is, or is not, a terminal. */
const logged = async (isTerminal: boolean, environment: Readonly<Record<string, string>> = {}) => {
  const script = `
    Object.defineProperty(process.stderr, 'isTTY', { value: ${isTerminal} })
    const { createLog } = await import('${dist}log/create-log.js')
    const log = createLog('info')
    log.debug({ event: 'hidden' }, 'hidden')
    log.warn({ event: 'retry', reason: 'a\\u001b[2Jb\\nc', attempt: 2 }, 'tried again')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { PATH: process.env['PATH'] ?? '', TZ: 'UTC', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return (await outcomeOf(child)).stderr
}

test('on a terminal an entry of the log is a readable line in colours, and steers no terminal', async (t) => {
  const line = await logged(true)
  t.regex(
    line.replaceAll('\u001b', 'ESC'),
    /^\d\d:\d\d:\d\d ESC\[33mWARN ESC\[0m tried again {2}ESC\[90mreason=/,
  )
  t.true(line.includes(String.raw`reason=a\u001b[2Jb\nc attempt=2`))
  t.is(line.trimEnd().split('\n').length, 1)
})

test('NO_COLOR leaves the colours out', async (t) => {
  t.regex(
    await logged(true, { NO_COLOR: '1' }),
    /^\d\d:\d\d:\d\d WARN {2}tried again {2}reason=.* attempt=2\n$/,
  )
})

test('elsewhere an entry is a line of JSON', async (t) => {
  t.like(JSON.parse(await logged(false)), { level: 40, event: 'retry', attempt: 2, message: 'tried again' })
})
