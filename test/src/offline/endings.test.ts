import { open } from 'node:fs/promises'
import test from 'ava'
import { spawnCliTo } from '../support/cli-process.js'
import { account, invalidAccount } from './support/accounts.js'
import { offline, validateProcess } from './support/offline.js'

const line = `${JSON.stringify(account('A'))}\n`

const preload = (script: string): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}`,
})

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  test.serial(`${signal} ends the run with ${code} and leaves no file behind`, async (t) => {
    const { path, names } = await offline(t)
    const args = ['--failures', path('f'), '--errors', path('e'), '--report', path('r')]
    const { child, outcome } = validateProcess(['-', ...args])
    child.stdin?.write(line.repeat(200))
    while ((await names()).length < 3) await new Promise((resolve) => setTimeout(resolve, 20))
    t.true(
      (await names()).every((name) => name.endsWith('.part')),
      'no output has its name yet',
    )
    child.kill(signal)
    const ended = await outcome
    t.is(ended.code, code, ended.stderr)
    t.regex(ended.stderr, /Stopped before the end; no file was written\./)
    t.deepEqual(await names(), [])
  })

for (const [name, crash] of [
  ['throws', `throw new Error('worker-canary')`],
  ['ends by itself', 'process.exit(0)'],
  ['runs out of memory', 'const all = []; for (;;) all.push(new Array(1e5).fill(all.length))'],
] as const)
  test.serial(`a worker that ${name} makes the run fail, without any output`, async (t) => {
    const { put, names, path } = await offline(t)
    const file = await put('a.ndjson', line.repeat(2000))
    const { outcome } = validateProcess(
      [file, '--json', '--workers', '2', '--failures', path('f'), '--report', path('r')],
      preload(
        `import { isMainThread } from 'node:worker_threads'; if (!isMainThread) setTimeout(() => { ${crash} }, 50)`,
      ),
    )
    const { code, stdout, stderr } = await outcome
    t.is(code, 3, stderr)
    t.like(JSON.parse(stdout), { error: { code: 'worker_failed' } })
    t.notRegex(stderr, /worker-canary/)
    t.deepEqual(await names(), ['a.ndjson'])
  })

test('a result that cannot be written is no result: a word on stderr, and not the code of failed data', async (t) => {
  const { put, text, path } = await offline(t)
  const file = await put('a.ndjson', `${JSON.stringify(invalidAccount('A'))}\n`)
  const full = await open('/dev/full', 'w')
  const ended = await spawnCliTo(full.fd, ['validate', file, '--json', '--errors', path('e')])
  await full.close()
  t.deepEqual(ended, { code: 3, stderr: 'The results cannot be written (ENOSPC).\n' })
  t.true((await text('e')).length > 0)
})

test('a reader that has gone away changes neither the exit code nor the files', async (t) => {
  const { put, text, path } = await offline(t)
  const file = await put('a.ndjson', `${JSON.stringify(invalidAccount('A'))}\n`)
  const { child, outcome } = validateProcess([file, '--json', '--failures', path('f')])
  child.stdout?.destroy()
  const { code, stderr } = await outcome
  t.deepEqual([code, stderr], [1, ''])
  t.is(await text('f'), await text('a.ndjson'))
})
