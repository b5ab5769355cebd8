import test from 'ava'
import { plainCalls } from '../../use-cases/support/plain-calls.js'
import { moreCalls } from '../every-call/sent-by.js'
import { faultEachCall, worldsInMemory, worldsOnSqlite, type Worlds } from '../every-call/fault-each-call.js'
import { commitWithoutRollback } from '../faults/planted.js'

/** In memory, `failing-calls` has the first kind of fault. */
const inMemory = async (): Promise<Worlds> => {
  const worlds = await worldsInMemory()
  return { ...worlds, faults: worlds.faults.slice(1) }
}

const backends = { 'in memory': inMemory, SQLite: worldsOnSqlite }

/** Calls that write several rows at once. `npm run faults -- calls` makes all calls fail on SQLite as well. */
const onSqlite =
  /^(?:stageAccount|processAccount|bulkProcess|addNotes|addTransactions.*|addPaymentInstruction|undoAccounts|answerOnce|removeDuePayloads)$/

for (const [backend, open] of Object.entries(backends)) {
  let worlds: Worlds | undefined
  test.before(`make a world ${backend}`, async () => {
    worlds = await open()
  })
  test.after.always(`close the worlds ${backend}`, () => worlds?.close())

  for (const [name, call] of Object.entries({ ...plainCalls, ...moreCalls })) {
    if (backend === 'SQLite' && !onSqlite.test(name)) continue
    test.serial(
      `${name} loses, doubles and half-writes nothing when any one port call fails (${backend})`,
      async (t) => {
        if (worlds === undefined) return t.fail('there is no world')
        const { injected, violations } = await faultEachCall(worlds, name, call)
        t.deepEqual(violations.slice(0, 10), [])
        t.true(injected >= worlds.faults.length, `${injected} faults`)
      },
    )
  }
}

test('faultEachCall finds a unit of work that keeps its writes after a failure', async (t) => {
  const worlds = await worldsInMemory()
  const planted: Worlds = {
    ...worlds,
    run: (work) => worlds.run((world) => work({ ...world, ports: commitWithoutRollback(world.ports) })),
  }
  const { violations } = await faultEachCall(planted, 'processAccount', plainCalls.processAccount)
  t.true(violations.some((fault) => fault.includes('created without its e-mail')))
})
