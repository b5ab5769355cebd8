import test from 'ava'
import { textOf } from '../../support/repository.js'
import { saveFaults } from '../report/fault-row.js'

test('figures of runs with violations are not saved, with a message', (t) => {
  const page = textOf('docs/reference/fault-report.md')
  t.regex(saveFaults('Galera', 'three nodes', [], 2) ?? '', /^Galera: not saved, as 2 run\(s\) found/)
  t.is(textOf('docs/reference/fault-report.md'), page)
})
