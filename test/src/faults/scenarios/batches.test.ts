import test from 'ava'
import { newAccount } from '../../use-cases/support/service-calls.js'
import {
  onPorts,
  serviceFixture,
  type ServiceFixture,
  valueOf,
} from '../../use-cases/support/service-fixture.js'
import { gasKey, organisation, processGas, sample } from '../../use-cases/support/service.js'
import { type CallFault, everyCallFault, faultName, nthCallFails } from '../faults/calls.js'
import { brokenInvariants } from '../invariants/broken-invariants.js'
import { emptyTally } from '../loads/tally.js'

const numbers = Array.from({ length: 4 }, (_, index) => `N-${index}`)

/** The calls of the unit of work that all accounts of a list share. */
const shared = new Set([
  'unitOfWork.run',
  'accountImports.create',
  'accountImports.staged',
  'accounts.create',
  'outbox.enqueue',
])

/** The calls before the accounts, whose failure is that of the request. */
const ofRequest = new Set(['importSuppliers.find', 'operationsTeams.exists'])

const { external_account_number: _number, ...request } = processGas

/** Processes the accounts as one list; the tag of each refusal, or `created`. */
const processAll = async ({ imports }: ServiceFixture): Promise<readonly string[]> => {
  const payload = { ...request, external_account_numbers: numbers }
  const results = await imports.bulkProcess({ organisation, payload })
  if (!results.ok) return numbers.map(() => results.refusal._tag)
  const tags: string[] = []
  for await (const { outcome } of results.value)
    tags.push(outcome._tag === 'Right' ? 'created' : outcome.left._tag)
  return tags
}

const talliedIn = async ({ imports }: ServiceFixture) => {
  const tally = emptyTally()
  tally.stage(gasKey, sample('gas-account'))
  for (const number of numbers) {
    valueOf(await imports.stageAccount({ organisation, payload: newAccount(number) }))
    tally.stage({ ...gasKey, externalAccountNumber: number }, newAccount(number))
  }
  return tally
}

/** The number of accounts that one fault may fail. */
const allowed = (hit: string, { ending }: CallFault): number => {
  if (ofRequest.has(hit)) return numbers.length
  if (!shared.has(hit)) return 1
  // Where the database is unavailable they are not retried one by one, whether they were committed or not.
  return ending === 'unavailable' ? numbers.length : 0
}

const failing = everyCallFault.filter(({ ending }) => ending !== 'no answer')

for (const fault of failing)
  test(`accounts that are created together fail no more than they must when one call is ${faultName(fault)}`, async (t) => {
    let together = 0
    for (let nth = 1; ; nth += 1) {
      const fixture = await serviceFixture()
      const tally = await talliedIn(fixture)
      const faulty = nthCallFails(fixture.ports, nth, fault)
      const server = onPorts(fixture, faulty.ports)
      const refused = (await processAll(server)).filter((tag) => tag !== 'created')
      const hit = faulty.hit()
      if (hit === undefined) break
      if (shared.has(hit)) together += 1
      t.true(refused.length <= allowed(hit, fault), `${hit}: ${refused.join()}`)
      t.true(
        refused.every((each) => each === 'PortFailure'),
        `${hit}: ${refused.join()}`,
      )
      const again = await processAll(server)
      t.true(
        again.every((each) => each === 'created' || each === 'AccountAlreadyImported'),
        again.join(),
      )
      t.deepEqual(await brokenInvariants({ ports: fixture.ports, tally }), [], hit)
    }
    t.true(together >= 4, `${together} calls of batches`)
  })
