import test from 'ava'
import fc from 'fast-check'
import { plans } from './simulation/plan.js'
import { planted, type Plant } from './simulation/planted.js'
import { simulate } from './simulation/simulate.js'

/** `PROPERTY_RUNS` for more than a few seconds; `PROPERTY_SEED` and `PROPERTY_PATH` for a failure once more. */
const { PROPERTY_RUNS, PROPERTY_SEED, PROPERTY_PATH } = process.env

/** So many that a mistake is not missed: each of the planted ones is found in 20 to 40 runs on average. */
const runsInTests = 500

const numRuns = Number(PROPERTY_RUNS ?? runsInTests)

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
    {
      numRuns,
      includeErrorInReport: true,
      ...(PROPERTY_SEED !== undefined && { seed: Number(PROPERTY_SEED) }),
      ...(PROPERTY_PATH !== undefined && { path: PROPERTY_PATH }),
    },
  )
  t.log(`${faults} faults`)
  t.true(PROPERTY_PATH !== undefined || faults > 0)
})

for (const [name, plant] of Object.entries(planted))
  test(`${name} is found, and seed and path show the same failure again`, async (t) => {
    const found = await fc.check(property(plant), { numRuns: runsInTests, endOnFailure: true })
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
