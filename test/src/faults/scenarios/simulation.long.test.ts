import test from 'ava'
import { fc, isReplay, runs } from '../../support/properties.js'
import { plans } from '../simulation/plan.js'
import { commitWithoutRollback } from '../faults/planted.js'
import { simulate } from '../simulation/simulate.js'

const simulated = (
  plant: typeof commitWithoutRollback | undefined,
  note: (injected: number) => void = () => undefined,
) =>
  fc.asyncProperty(fc.scheduler(), plans, async (scheduler, plan) => {
    const { injected, violations } = await simulate(scheduler, plan, plant)
    note(injected)
    if (violations.length > 0) throw new Error(violations.join('\n'))
  })

test('the service loses, doubles and half-writes nothing when clients act at once and any port call fails', async (t) => {
  let faults = 0
  await fc.assert(
    simulated(undefined, (injected) => (faults += injected)),
    { numRuns: runs(150) },
  )
  t.log(`${faults} faults`)
  t.true(isReplay || faults > 0)
})

test('the simulation finds a commit without rollback, and seed and path repeat its failure', async (t) => {
  const property = simulated(commitWithoutRollback)
  // About one run of a hundred finds the fault; the search ends with the first failure.
  const found = await fc.check(property, { numRuns: 3000, endOnFailure: true })
  if (!found.failed) return t.fail('not found')
  t.log(`run ${found.numRuns}: ${String(found.errorInstance)}`)
  const { seed, counterexamplePath: path } = found
  const repeated = await fc.check(simulated(commitWithoutRollback), {
    seed,
    ...(path !== null && { path }),
    endOnFailure: true,
  })
  t.deepEqual([repeated.failed, repeated.numRuns], [true, 1])
  t.is(String(repeated.errorInstance), String(found.errorInstance))
  t.is(fc.stringify(repeated.counterexample), fc.stringify(found.counterexample))
})
