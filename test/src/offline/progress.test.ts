import { PassThrough } from 'node:stream'
import test from 'ava'
import { runCli } from '@account-import/server'
import { manyLines } from './support/accounts.js'
import { offline } from './support/offline.js'

/** A stream that takes itself for a terminal; and what was written to it. */
const terminal = () => {
  const written: string[] = []
  const stream = new PassThrough().setEncoding('utf8').on('data', (text: string) => written.push(text))
  // The progress moves the cursor by the functions of `readline`, so that a stream is enough.
  const asTerminal = Object.assign(stream, { isTTY: true, columns: 120 })
  return { terminal: asTerminal as unknown as NodeJS.WriteStream, shown: () => written.join('') }
}

test.serial('a terminal shows share, accounts, rate and time left, and gets its cursor back', async (t) => {
  const { put } = await offline(t)
  const file = await put('a.ndjson', `${manyLines(2000).join('\n')}\n`)
  const screen = terminal()
  let stdout = ''
  const code = await runCli(['validate', file, '--json'], {
    environment: {},
    out: (text) => (stdout += text),
    err: () => undefined,
    terminal: screen.terminal,
  })
  t.is(code, 1)
  t.like(JSON.parse(stdout), { accounts: 2000 })
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  const states = screen.shown().split(/\u001b\[[0-9;?]*[A-Za-z]/)
  const lines = states.filter((state) => state.includes('accounts'))
  t.regex(lines[0] ?? '', /^░{40} 0% \| 0 accounts \| 0 a second \| .+ left$/)
  t.regex(lines.at(-1) ?? '', /^█{10,}░* \d+% \| [\d,]+ accounts \| [\d,]+ a second \| .+ left$/)
  t.true(screen.shown().lastIndexOf('\u001b[?25h') > screen.shown().lastIndexOf('\u001b[?25l'))
})

test.serial(
  'without a size, as of a pipe, the terminal shows what was read instead of a share',
  async (t) => {
    const screen = terminal()
    const input = new PassThrough()
    input.end(`${manyLines(300).join('\n')}\n`)
    const code = await runCli(['validate', '-', '--json'], {
      environment: {},
      out: () => undefined,
      err: () => undefined,
      input,
      terminal: screen.terminal,
    })
    t.is(code, 1)
    t.regex(screen.shown(), /0 bytes read \| 0 accounts \| 0 a second/)
    t.regex(screen.shown(), /[\d.]+ [KM]iB read \| /)
  },
)
