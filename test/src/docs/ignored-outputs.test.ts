import { basename } from 'node:path'
import test from 'ava'
import { filesBelow, textOf } from '../support/repository.js'

const pages = [
  'README.md',
  'packages/server/src/cli/examples.ts',
  ...['docs', 'examples', 'packages']
    .flatMap((folder) => filesBelow(folder))
    .filter((path) => path.endsWith('.md')),
].filter((path) => !path.includes('node_modules'))

/** Files of the folder that a command is typed in. */
const written = pages.flatMap((path) =>
  [...textOf(path).matchAll(/--(?:failures|errors|mapping|report) ([\w./-]+\.\w+)/g)].map(
    ([, name = '']) => name,
  ),
)

test('what the commands of the documentation write about customers is never committed by mistake', (t) => {
  const ignored = new Set(textOf('.gitignore').split('\n'))
  t.true(written.length > 5)
  const open = written.filter((name) => !name.startsWith('data/') && !ignored.has(basename(name)))
  t.deepEqual([...new Set(open)], [])
})
