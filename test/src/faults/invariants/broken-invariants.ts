import { breaksFound } from '../../verify/support/breaks-of.js'
import { accountFaults, moneyFaults } from './account-faults.js'
import { answerFaults } from './answer-faults.js'
import { importFaults } from './import-faults.js'
import { lookAt, type Held, type Looked, type LookedSupplier } from './look-at.js'
import { recordFaults } from './record-faults.js'
import { summaryFaults } from './summary-faults.js'

const sharedNumbers = (looked: readonly Looked[]): readonly string[] => {
  const numbers = looked.flatMap(({ account }) =>
    account === undefined ? [] : [account.platformAccountNumber],
  )
  return new Set(numbers).size === numbers.length ? [] : ['I1: two accounts have one platform account number']
}

/** Where e-mails are wanted, every account has one. */
const withoutEmail = (looked: readonly Looked[]): readonly string[] =>
  looked
    .filter(({ account, emails }) => account !== undefined && emails.length === 0)
    .map(({ key }) => `I3: ${key.externalAccountNumber}: created without its e-mail`)

/** What is wrong with what the stores hold, whether or not something is still unanswered. */
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
 * All that is wrong with what is behind the ports, by what clients sent and were told; of a database also what its own
 * verification says. Something may still be unanswered, but nothing may be going on.
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

/** The same once everything was answered: then nobody is in progress, servers say what is there, and repeats change nothing. */
export const brokenAtTheEnd = async (held: Required<Held>): Promise<readonly string[]> => {
  const looked = await lookAt(held.ports, held.tally)
  const all = looked.flatMap((each) => each.looked)
  return [
    ...(await brokenInvariants(held, looked)),
    ...(await answerFaults(held, all)),
    ...(await recordFaults(held.database, all)),
  ]
}
