import test from 'ava'
import { sample } from '../validation/support.js'
import { validatePayload } from './support.js'

const days = ['2025-09-01', '2025-12-31', '2026-03-29', '2031-02-28', '2998-12-31']

for (const name of ['gas-account.json', 'electricity-account.json'])
  test(`${name} has no error and no warning, from 2025-09-01 on`, (t) => {
    for (const day of days)
      t.deepEqual(validatePayload(sample(name), {}, day), { errors: [], warnings: [] }, day)
  })

test('invalid-account.json gives exactly its errors, in order, and no warning', (t) => {
  const expected = sample('invalid-account.expected.json') as readonly { attr: string; code: string }[]
  t.is(expected.length, 18)
  for (const day of days)
    t.deepEqual(
      validatePayload(sample('invalid-account.json'), {}, day),
      { errors: expected.map(({ attr, code }) => `${attr} ${code}`), warnings: [] },
      day,
    )
})
