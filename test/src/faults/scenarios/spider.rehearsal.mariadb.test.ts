import test from 'ava'
import { outcomeOf, tried } from './one-fault.js'

test.serial('on Spider, accounts are never doubled by clients of two servers that race', async (t) => {
  const { row, faults } = await outcomeOf('spider', 'races')
  t.log(JSON.stringify(row))
  t.deepEqual(faults, [])
  t.true(row.acknowledged > 0)
})

for (const [title, fault] of [
  ['the head', 'database killed'],
  ['a data node', 'data node killed'],
] as const)
  test.serial(
    `on Spider, ${title} killed three times under load loses, doubles and half-writes nothing`,
    async (t) => {
      t.timeout(400_000)
      tried(t, await outcomeOf('spider', fault))
    },
  )
