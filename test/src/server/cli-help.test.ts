import test from 'ava'
import { cliInProcess } from '../support/cli-in-process.js'
import { textOf } from '../support/repository.js'

/** Every command that does something, as the reference names it. */
const leaves = [...textOf('docs/reference/command-line.md').matchAll(/^## account-import (.*)$/gm)].map(
  ([, path = '']) => path,
)

const helpOf = async (path: string) => (await cliInProcess([...path.split(' '), '--help'], {})).stdout

test('the help of every command has examples, with options that the command has', async (t) => {
  t.true(leaves.length > 20)
  for (const path of leaves) {
    const help = await helpOf(path)
    const [, examples = ''] = help.split('\nExamples:\n')
    const lines = examples.split('\n').filter((line) => line.includes(`account-import ${path}`))
    t.true(lines.length > 0, path)
    const known = new Set([...help.matchAll(/--[a-z-]+/g)].map(([name]) => name))
    const own = lines.flatMap((line) =>
      (line.split(`account-import ${path}`)[1] ?? '').split(/[|<>;]/, 1)[0]?.match(/--[a-z-]+/g),
    )
    for (const name of own) if (name != null) t.true(known.has(name), `${path} ${name}`)
    const [usage = ''] = help.split('\n')
    t.regex(usage, new RegExp(`^Usage: account-import ${path}`))
  }
})

test('the help of the program names the commands of its commands', async (t) => {
  const { stdout } = await cliInProcess(['--help'], {})
  for (const path of leaves) for (const word of path.split(' ')) t.regex(stdout, new RegExp(`\\b${word}\\b`))
  t.regex(stdout, /supplier .*\n +create, set-status, configure, show, list\n/)
})

test('help behind the word help is the help of the command', async (t) => {
  const { code, stdout } = await cliInProcess(['help', 'supplier', 'create'], {})
  t.is(code, 0)
  t.is(stdout, await helpOf('supplier create'))
  const unknown = await cliInProcess(['help', 'nope'], {})
  t.deepEqual([unknown.code, unknown.stdout], [2, ''])
  t.regex(unknown.stderr, /unknown command 'nope'/)
})

test('explain says of a code what the documentation says, and of no code which ones are like it', async (t) => {
  const told = await cliInProcess(['explain', 'invalid_phone_number'], {})
  t.is(told.code, 0)
  for (const part of [
    /^invalid_phone_number\n/,
    /^How to fix it\n1\. /m,
    /^Example\n/m,
    /customers\.N\.mobile/,
  ])
    t.regex(told.stdout, part)
  const { stdout } = await cliInProcess(['explain', 'invalid_phone_number', '--json'], {})
  t.like(JSON.parse(stdout), { code: 'invalid_phone_number', related: ['doubtful_phone_number'] })
  const unknown = await cliInProcess(['explain', 'phone'], {})
  t.deepEqual([unknown.code, unknown.stdout], [2, ''])
  t.regex(unknown.stderr, /^There is no code phone\. Similar ones: .*invalid_phone_number/)
})
