import { spawnSync } from 'node:child_process'
import test from 'ava'
import { filesBelow, root, textOf } from '../support/repository.js'

test('what the packages show to those who import them is what the reports in their folders etc say', (t) => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/api-report.mjs', '--check'], {
    cwd: root,
    encoding: 'utf8',
  })
  t.is(status, 0, stderr)
})

test('every entry of a public package has its report, and the front door of the core shows no codec', (t) => {
  const reports = filesBelow('packages').filter((path) => path.endsWith('.api.md'))
  t.true(reports.length >= 15, reports.join(' '))
  const front = textOf('packages/core/etc/index.api.md')
  t.regex(front, /export const makeUseCases/)
  t.notRegex(front, /^export (abstract )?class /m)
})
