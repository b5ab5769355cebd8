import test from 'ava'
import { serviceCalls } from '../../use-cases/support/service-calls.js'
import { moreCalls } from '../every-call/sent-by.js'
import {
  faultEachCall,
  faultsAfterEffects,
  fixturesInMemory,
  fixturesOnSqlite,
  type Fixtures,
} from '../every-call/fault-each-call.js'
import { commitWithoutRollback } from '../faults/planted.js'

/** `npm run faults -- calls` has every kind of fault. */
const inMemory = async (): Promise<Fixtures> => ({
  ...(await fixturesInMemory()),
  faults: faultsAfterEffects,
})

const backends = { 'in memory': inMemory, SQLite: fixturesOnSqlite }

/** Calls that write several rows at once. `npm run faults -- calls` makes all calls fail on SQLite as well. */
const onSqlite =
  /^(?:stageAccount|processAccount|bulkProcess|addNotes|addTransactions.*|addPaymentInstruction|undoAccounts|answerOnce|removeDuePayloads)$/

for (const [backend, open] of Object.entries(backends)) {
  let fixtures: Fixtures | undefined
  test.before(`make a fixture ${backend}`, async () => {
    fixtures = await open()
  })
  test.after.always(`close the fixtures ${backend}`, () => fixtures?.close())

  for (const [name, call] of Object.entries({ ...serviceCalls, ...moreCalls })) {
    if (backend === 'SQLite' && !onSqlite.test(name)) continue
    test.serial(
      `${name} loses, doubles and half-writes nothing when any one port call fails (${backend})`,
      async (t) => {
        if (fixtures === undefined) return t.fail('there is no fixture')
        const { injected, violations } = await faultEachCall(fixtures, name, call)
        t.deepEqual(violations.slice(0, 10), [])
        t.true(injected >= fixtures.faults.length, `${injected} faults`)
      },
    )
  }
}

test('faultEachCall finds a unit of work that keeps its writes after a failure', async (t) => {
  const fixtures = await fixturesInMemory()
  const planted: Fixtures = {
    ...fixtures,
    run: (work) =>
      fixtures.run((fixture) => work({ ...fixture, ports: commitWithoutRollback(fixture.ports) })),
  }
  const { violations } = await faultEachCall(planted, 'processAccount', serviceCalls.processAccount)
  t.true(violations.some((fault) => fault.includes('created without its e-mail')))
})
