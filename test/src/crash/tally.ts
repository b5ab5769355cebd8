import type { Result } from '@account-import/client'
import type { CreatedAccount } from '@account-import/http-contract'

/** What clients know about the accounts that they asked for. */
export type Tally = Readonly<{
  /** Not asked for yet, or to be asked for again. */
  waiting: string[]
  /** Answered 201: account number to platform account number. */
  acknowledged: Map<string, string>
  /** Answered `account_already_imported` by a later server: it was created, but the answer was lost. */
  learned: Map<string, string>
  /** Sent for staging more than once. */
  restaged: Set<string>
  /** Asked for, and no answer came; or found in the claim of a server that is gone. */
  interrupted: Set<string>
  /** Answers that nobody should ever get. */
  unexpected: string[]
}>

export const emptyTally = (): Tally => ({
  waiting: [],
  acknowledged: new Map(),
  learned: new Map(),
  restaged: new Set(),
  interrupted: new Set(),
  unexpected: [],
})

const numberIn = (problem: object): string =>
  'platform_account_number' in problem ? String(problem.platform_account_number) : ''

/** What a client is told of an account that it may ask for again, while servers are killed. */
const passing: ReadonlySet<string> = new Set(['network', 'answer_cut', 'account_import_in_progress'])

/** The same while the database, too, comes and goes. */
export const passingWithDatabase: ReadonlySet<string> = new Set([...passing, 'service_unavailable'])

/** Notes an answer; true when the account is settled, false when it is to be asked for again. */
export const note = (
  tally: Tally,
  number: string,
  result: Result<CreatedAccount>,
  mayPass = passing,
): boolean => {
  if (result.ok) {
    if (tally.learned.has(number) || tally.acknowledged.has(number))
      tally.unexpected.push(`${number}: created twice`)
    tally.acknowledged.set(number, result.body.platform_account_number)
    return true
  }
  const { code } = result.problem
  if (code === 'account_already_imported') {
    tally.learned.set(number, numberIn(result.problem))
    return true
  }
  if (!mayPass.has(code)) tally.unexpected.push(`${number}: ${result.status} ${code}`)
  tally.interrupted.add(number)
  return false
}
