import test from 'ava'
import { smallDiskAvailable } from '../../servers/index.js'
import { outcomeOf, tried } from './one-fault.js'

test.serial('PostgreSQL killed three times under load loses, doubles and half-writes nothing', async (t) => {
  t.timeout(400_000)
  tried(t, await outcomeOf('postgresql', 'database killed'))
})

if (smallDiskAvailable())
  test.serial(
    'a full disk of PostgreSQL under load gives 503, and everything is done after there is space again',
    async (t) => {
      t.timeout(400_000)
      const { requests, acknowledged } = tried(t, await outcomeOf('postgresql', 'disk full'))
      t.true(acknowledged < requests, 'the disk was not full')
    },
  )
