import test from 'ava'
import { floods, tryFlood, withFloodedServer } from './floods.js'

/** Memory of the process, with the thread for long bodies: 580 to 620 were measured, over 3000 before there were budgets. */
const mostMiB = 680

for (const [name, flood] of Object.entries(floods))
  test.serial(
    `${name}: the server lives with a heap of 384 MB, stays below 680 MiB, and answers another organisation meanwhile`,
    async (t) => {
      t.timeout(240_000)
      const outcome = await withFloodedServer((server) => tryFlood(server, flood, 200))
      const { survived, peakMemory, neighbourAnswers, livezAnswers, statuses } = outcome
      t.log(JSON.stringify(outcome))
      t.true(survived)
      t.true(peakMemory < mostMiB, `${peakMemory} MiB`)
      t.true(neighbourAnswers > 0 && livezAnswers > neighbourAnswers)
      const answered = Object.values(statuses).reduce((sum, count) => sum + count, 0)
      t.is(answered, flood.requests)
      t.is(statuses[500], undefined)
    },
  )
