import test from 'ava'
import { floods, tryFlood, withFloodedServer } from './floods.js'

/** Memory of the process, with the thread for long bodies: up to 570 MiB were measured, over 3000 without a limit of bodies. */
const mostMiB = 680

/** One of each kind; `npm run faults -- floods` has all. */
const daily = [
  '16 long lines in 5 KB each',
  '128 MiB of line feeds in 130 KB',
  '200 long bodies in 60 KB each',
  '200 streams of lines with 1000 errors',
  '400 bodies of 262 KB that end together',
] as const

for (const name of daily)
  test.serial(
    `${name}: the server survives with a heap of 384 MB and at most 680 MiB, and answers another organisation meanwhile`,
    async (t) => {
      t.timeout(240_000)
      const outcome = await withFloodedServer((server) => tryFlood(server, floods[name], 200))
      const { survived, peakMemory, neighbourAnswers, livezAnswers, statuses } = outcome
      t.log(JSON.stringify(outcome))
      t.true(survived)
      t.true(peakMemory < mostMiB, `${peakMemory} MiB`)
      t.true(neighbourAnswers > 0 && livezAnswers > neighbourAnswers)
      const answered = Object.values(statuses).reduce((sum, count) => sum + count, 0)
      t.is(answered, floods[name].requests)
      t.is(statuses['500'], undefined)
    },
  )
