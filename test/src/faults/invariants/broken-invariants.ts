import type { AccountImport, AuditEntry, ImportSupplier, Instant, Ports } from '@account-import/core'
import { makeUseCases } from '@account-import/core/fp'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { isDeepStrictEqual } from 'node:util'
import { answer } from '../../support/answers.js'
import type { SharedDatabase } from '../../support/shared-database.js'
import { breaksFound } from '../../verify/support/breaks-of.js'
import { accountFaults, importFaults, moneyFaults } from './account-faults.js'
import { answerFaults } from './answer-faults.js'
import { lookAt, numbersIn, type Held, type Looked, type LookedSupplier } from './look-at.js'

const stateOf = (found: AccountImport, at: Instant): string => {
  if (found.created !== undefined) return 'created'
  if (found.skipped) return 'skipped'
  if (found.stagedVersion === 0) return 'unknown'
  return found.claim !== undefined && found.claim.expiresAt > at ? 'inProgress' : 'staged'
}

/** Differences between the summary and lists of a supplier and its single imports. */
const summaryFaults = async (
  ports: Ports,
  supplier: ImportSupplier,
  looked: readonly Looked[],
): Promise<readonly string[]> => {
  const { accountImports, clock } = ports
  const { organisation, code: importSupplier } = supplier
  const inList = async (list: 'all' | 'pending' | 'imported'): Promise<number> =>
    (await numbersIn(ports, supplier, list)).length
  const at = clock.now()
  const states = looked.flatMap(({ found }) => (found === undefined ? [] : [stateOf(found, at)]))
  const count = (...wanted: readonly string[]): number =>
    states.filter((state) => wanted.includes(state)).length
  const { errors, failed, ...told } = await answer(accountImports.summary(organisation, importSupplier, at))
  const staged = looked.filter(({ found }) => (found?.stagedVersion ?? 0) > 0).length
  const seen = {
    ...told,
    failed: errors.reduce((total, error) => total + error.count, 0),
    lists: [await inList('all'), await inList('pending'), await inList('imported')],
  }
  const expected = {
    staged: count('staged'),
    inProgress: count('inProgress'),
    created: count('created'),
    skipped: count('skipped'),
    failed,
    lists: [staged, count('staged', 'inProgress'), count('created')],
  }
  return isDeepStrictEqual(seen, expected)
    ? []
    : [`I7: ${importSupplier} is reported as ${JSON.stringify(seen)}, and is ${JSON.stringify(expected)}`]
}

/** Faults of the audit log: every staging and every account has one entry, sealed once, in chains without holes. */
const recordFaults = async (
  { stores }: SharedDatabase,
  all: readonly Looked[],
): Promise<readonly string[]> => {
  const { audit } = makeUseCases({ ...inMemoryPorts(), ...stores })
  while ((await answer(audit.seal(500))).more);
  const faults: string[] = []
  for await (const { breaks } of await answer(audit.verify({ heads: [] })))
    faults.push(...breaks.map((found) => `I3: record: ${JSON.stringify(found)}`))
  const count = (entries: readonly AuditEntry[], ...auditedActions: readonly string[]): number =>
    entries.filter(({ what }) => auditedActions.includes(what)).length
  for (const { key, found, account } of all) {
    const sealed = await answer(stores.auditTrail.events(key, undefined, 1000))
    const entries = sealed.map(({ entry }) => entry)
    const number = key.externalAccountNumber
    const stagings = count(entries, 'staged', 'restaged')
    if (stagings !== (found?.stagedVersion ?? 0))
      faults.push(`I3: ${number}: ${stagings} entries of ${found?.stagedVersion} stagings`)
    const creations = count(entries, 'created')
    if (creations !== (account === undefined ? 0 : 1)) faults.push(`I3: ${number}: ${creations} creations`)
  }
  return faults
}

const sharedNumbers = (looked: readonly Looked[]): readonly string[] => {
  const numbers = looked.flatMap(({ account }) =>
    account === undefined ? [] : [account.platformAccountNumber],
  )
  return new Set(numbers).size === numbers.length ? [] : ['I1: two accounts have one platform account number']
}

/** Where e-mails are enabled, every account has one. */
const withoutEmail = (looked: readonly Looked[]): readonly string[] =>
  looked
    .filter(({ account, emails }) => account !== undefined && emails.length === 0)
    .map(({ key }) => `I3: ${key.externalAccountNumber}: created without its e-mail`)

/** Faults of the stores, with or without requests in flight. */
const storeFaults = async (
  { ports, tally }: Held,
  all: readonly LookedSupplier[],
): Promise<readonly string[]> => {
  const faults: string[] = []
  for (const { supplier, looked } of all) {
    const { processingClaimSeconds } = ports.settings
    for (const each of looked)
      faults.push(
        ...importFaults(each, tally, ports.clock.now(), processingClaimSeconds),
        ...accountFaults(each, tally),
      )
    faults.push(...moneyFaults(supplier.code, looked, tally))
    faults.push(...(await summaryFaults(ports, supplier, looked)))
    if (supplier.settings.migrationEmails) faults.push(...withoutEmail(looked))
  }
  return [...faults, ...sharedNumbers(all.flatMap(({ looked }) => looked))]
}

/**
 * All faults of the data behind the ports, by the requests and responses of clients; of a database also those that its own
 * verification reports. Requests may be unanswered, but none may be running.
 */
export const brokenInvariants = async (
  held: Held,
  looked?: readonly LookedSupplier[],
): Promise<readonly string[]> => {
  const { database } = held
  const breaks = database === undefined ? [] : await breaksFound(database.knex)
  return [
    ...(await storeFaults(held, looked ?? (await lookAt(held.ports, held.tally)))),
    ...breaks.map((each) => `I3: ${each}`),
  ]
}

/**
 * The same once all requests are answered: then nothing is in progress, servers report the stored data, and repeats change
 * nothing.
 */
export const brokenAtTheEnd = async (held: Required<Held>): Promise<readonly string[]> => {
  const looked = await lookAt(held.ports, held.tally)
  const all = looked.flatMap((each) => each.looked)
  return [
    ...(await brokenInvariants(held, looked)),
    ...(await answerFaults(held, all)),
    ...(await recordFaults(held.database, all)),
  ]
}
