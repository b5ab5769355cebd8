import { inMemoryPorts } from '@account-import/core/in-memory'
import test from 'ava'
import { textOf } from '../support/repository.js'

test('the page on embedding says of every port, once, what it is replaced with', (t) => {
  const [, after = ''] = textOf('docs/how-to/embed-the-core.md').split('## Which ports can be replaced alone')
  const [section = ''] = after.split('\n## ')
  const rows = [...section.matchAll(/^\| (`[^|]*)\|/gm)].map(([, cell = '']) => cell)
  const named = rows.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
  t.deepEqual(named.toSorted(), Object.keys(inMemoryPorts()).toSorted())
})
