import test from 'ava'
import { outcomeOf, tried } from './one-fault.js'

test('PostgreSQL killed three times under load loses, doubles and half-writes nothing', async (t) => {
  t.timeout(400_000)
  tried(t, await outcomeOf('postgresql', 'database killed'))
})
