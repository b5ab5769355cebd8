import test from 'ava'
import { filesBelow, textOf } from '../support/repository.js'

const pages = [
  'README.md',
  ...['docs', 'examples', 'packages'].flatMap((folder) => filesBelow(folder)),
].filter((path) => path.endsWith('.md') && !path.includes('node_modules'))

/** Commands as pages show them, without comments. */
const commandsIn = (path: string): readonly string[] =>
  [...textOf(path).matchAll(/^ *```sh[^\n]*\n([\s\S]*?)^ *```$/gm)].flatMap(([, block = '']) =>
    block.split('\n').map((line) => line.replace(/(?:^|\s)#.*$/, '')),
  )

test('no page shows a command with an API key in its command line, where others could see it', (t) => {
  const commands = pages.flatMap((path) => commandsIn(path).map((command) => `${path}: ${command}`))
  t.true(commands.length > 100)
  t.deepEqual(
    commands.filter((command) => /--api-key[ =]|aik_|\$\{?(?:API_)?KEY\b/.test(command)),
    [],
  )
  t.false(textOf('docs/reference/command-line.md').includes('`--api-key <key>`'))
})

test('no page starts the server by npx, which passes SIGTERM on to nobody', (t) => {
  const commands = pages.flatMap((path) => commandsIn(path).map((command) => `${path}: ${command}`))
  t.true(commands.some((command) => command.includes('node_modules/.bin/account-import serve')))
  t.deepEqual(
    commands.filter((command) => /\bnpx account-import serve\b/.test(command)),
    [],
  )
})
