import test from 'ava'
import { filesBelow, textOf } from '../support/repository.js'

const sources = filesBelow('packages/server/src').filter((path) => path.endsWith('.ts'))
const described = 'packages/server/src/log/log-events.ts'

test('every event that the page of the log has is written by some source', (t) => {
  const events = [
    ...textOf('docs/reference/log.md').matchAll(/^\| (?:\[)?`(\w+)`(?:\]\(#\w+\))? \| \w+ \(\d+\)/gm),
  ].map(([, event = '']) => event)
  t.true(events.length > 20)
  const written = [
    ...sources.filter((path) => path !== described),
    'packages/adapter-http-koa/src/log-entry.ts',
  ]
    .map(textOf)
    .join('\n')
  t.deepEqual(
    events.filter((event) => !written.includes(`'${event}'`)),
    [],
  )
})
