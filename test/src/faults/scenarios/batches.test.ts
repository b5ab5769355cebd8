import test from 'ava'
import { newAccount } from '../../use-cases/support/plain-calls.js'
import { onPorts, plainWorld, type PlainWorld, valueOf } from '../../use-cases/support/plain-world.js'
import { gasKey, organisation, processGas, sample } from '../../use-cases/support/service.js'
import { type CallFault, everyCallFault, faultName, nthCallFails } from '../faults/calls.js'
import { brokenInvariants } from '../invariants/broken-invariants.js'
import { emptyTally } from '../loads/tally.js'

const numbers = Array.from({ length: 4 }, (_, index) => `N-${index}`)

/** The calls that all accounts of a batch share. */
const shared = new Set(['unitOfWork.run', 'accountImports.complete', 'accounts.create', 'outbox.enqueue'])

const processAll = ({ plain }: PlainWorld) =>
  Promise.all(
    numbers.map((external_account_number) =>
      plain.processAccount({ organisation, payload: { ...processGas, external_account_number } }),
    ),
  )

const talliedIn = async ({ plain }: PlainWorld) => {
  const tally = emptyTally()
  tally.stage(gasKey, sample('gas-account'))
  for (const number of numbers) {
    valueOf(await plain.stageAccount({ organisation, payload: newAccount(number) }))
    tally.stage({ ...gasKey, externalAccountNumber: number }, newAccount(number))
  }
  return tally
}

/** The number of accounts that one fault may fail. */
const allowed = (hit: string, { ending }: CallFault): number => {
  if (!shared.has(hit)) return 1
  // Where the database is unavailable they are not retried one by one, whether they were committed or not.
  return ending === 'unavailable' ? numbers.length : 0
}

const failing = everyCallFault.filter(({ ending }) => ending !== 'no answer')

for (const fault of failing)
  test(`accounts that are created together: one call that is ${faultName(fault)} fails no more than it must`, async (t) => {
    let together = 0
    for (let nth = 1; ; nth += 1) {
      const world = await plainWorld()
      const tally = await talliedIn(world)
      const faulty = nthCallFails(world.ports, nth, fault)
      const server = onPorts(world, faulty.ports)
      const refused = (await processAll(server)).flatMap((result) => (result.ok ? [] : [result.refusal._tag]))
      const hit = faulty.hit()
      if (hit === undefined) break
      if (shared.has(hit)) together += 1
      t.true(refused.length <= allowed(hit, fault), `${hit}: ${refused.join()}`)
      t.true(
        refused.every((each) => each === 'PortFailure'),
        `${hit}: ${refused.join()}`,
      )
      const again = (await processAll(server)).map((result) => (result.ok ? 'created' : result.refusal._tag))
      t.true(
        again.every((each) => each === 'created' || each === 'AccountAlreadyImported'),
        again.join(),
      )
      t.deepEqual(await brokenInvariants({ ports: world.ports, tally }), [], hit)
    }
    t.true(together >= 4, `${together} calls of batches`)
  })
