import test from 'ava'
import { fc, isReplay, runs } from '../../support/properties.js'
import { plans } from '../simulation/plan.js'
import { planted, type Plant } from '../faults/planted.js'
import { simulate } from '../simulation/simulate.js'

const property = (plant: Plant | undefined, note: (injected: number) => void = () => undefined) =>
  fc.asyncProperty(fc.scheduler(), plans, async (scheduler, plan) => {
    const { injected, violations } = await simulate(scheduler, plan, plant)
    note(injected)
    if (violations.length > 0) throw new Error(violations.join('\n'))
  })

test('whatever clients do at once, and whatever fails, nothing is lost, doubled or half there', async (t) => {
  let faults = 0
  await fc.assert(
    property(undefined, (injected) => (faults += injected)),
    { numRuns: runs(150) },
  )
  t.log(`${faults} faults`)
  t.true(isReplay || faults > 0)
})

/** Enough for the rarest fault, which about one run of a hundred finds; the search ends with the first failure. */
const runsUntilFound = 3000

for (const [name, plant] of Object.entries(planted))
  test(`${name} is found, and seed and path show the same failure again`, async (t) => {
    const found = await fc.check(property(plant), { numRuns: runsUntilFound, endOnFailure: true })
    if (!found.failed) return t.fail('not found')
    t.log(`run ${found.numRuns}: ${String(found.errorInstance)}`)
    const { seed, counterexamplePath: path } = found
    const again = await fc.check(property(plant), {
      seed,
      ...(path !== null && { path }),
      endOnFailure: true,
    })
    t.deepEqual([again.failed, again.numRuns], [true, 1])
    t.is(String(again.errorInstance), String(found.errorInstance))
    t.is(fc.stringify(again.counterexample), fc.stringify(found.counterexample))
  })
