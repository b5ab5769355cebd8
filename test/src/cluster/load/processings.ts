import type { Client } from '@account-import/client'
import type { SetUp } from '../../support/set-up.js'
import { hearAll, once } from './bulk-answers.js'
import type { Tally } from './tally.js'
import type { Work } from './work.js'

/** Every fifth account is asked for by two clients, of which one creates it. */
const racedEach = 5

/** Accounts of a bulk request. */
const atOnce = 8

/** Processes what was staged, one or many by a request. */
export type Processings = Readonly<{
  one: Work
  many: Work
  staged(number: string): void
  /** What was answered 201: external to platform account number. */
  created: ReadonlyMap<string, string>
  /** Accounts that were answered 201 more than once. */
  doubled: readonly string[]
  /** Staged, and never asked for. */
  waiting(): readonly string[]
}>

/** What became of one account: its platform account number, or why it has none from this request. */
type Processed =
  | Readonly<{ ok: true; status: number; platform: string }>
  | Readonly<{ ok: false; status: number; code: string; problem: object }>

const numberIn = (problem: object): string =>
  'platform_account_number' in problem ? String(problem.platform_account_number) : ''

/** What clients were told of accounts. */
const makeKnown = (tally: Tally) => {
  const created = new Map<string, string>()
  const told = new Map<string, string>()
  const doubled: string[] = []
  /** Everybody is told the same number, by whichever server. */
  const tell = (number: string, platform: string): void => {
    const known = told.get(number)
    if (known !== undefined && known !== platform)
      tally.faults.push(`process ${number}: ${platform} after ${known}`)
    told.set(number, platform)
  }
  /** False when it has to be asked for again. */
  const hear = (place: number, number: string, result: Processed): boolean => {
    if (tally.note(place, `process ${number}`, result) === 'again') return false
    if (result.ok) {
      if (created.has(number)) doubled.push(number)
      created.set(number, result.platform)
      tell(number, result.platform)
    } else if (result.code === 'account_already_imported') tell(number, numberIn(result.problem))
    else tally.faults.push(`process ${number}: ${result.code}`)
    return true
  }
  return { created, doubled, hear }
}

const sendOne = async (
  client: Client,
  { supplier, team }: SetUp,
  external_account_number: string,
): Promise<Processed> => {
  const result = await client.processAccount({
    external_account_number,
    import_supplier_code: supplier,
    operations_team_name: team,
  })
  if (!result.ok) return result
  return { ok: true, status: result.status, platform: result.body.platform_account_number }
}

const sendMany = (client: Client, { supplier, team }: SetUp, external_account_numbers: readonly string[]) =>
  client.bulkProcess(
    { import_supplier_code: supplier, operations_team_name: team, external_account_numbers },
    once,
  )

export const processings = (setUp: SetUp, tally: Tally): Processings => {
  const waiting: string[] = []
  const unclear: string[] = []
  const { created, doubled, hear } = makeKnown(tally)
  let count = 0
  const next = (): string | undefined => unclear.shift() ?? waiting.shift()
  /** One that is asked for twice is not twice in one request. */
  const nextFew = (): readonly string[] => {
    const few = new Set<string>()
    for (let taken = 0; taken < atOnce; taken += 1) {
      const number = next()
      if (number === undefined) break
      if (few.has(number)) waiting.push(number)
      few.add(number)
    }
    return [...few]
  }
  const all = { isReady: () => waiting.length + unclear.length > 0, unclear: () => unclear.length }
  return {
    created,
    doubled,
    waiting: () => waiting,
    staged(number) {
      waiting.push(number)
      if ((count += 1) % racedEach === 0) waiting.push(number)
    },
    one: {
      ...all,
      async next({ client, place }) {
        const number = next()
        if (number === undefined) return true
        const isKnown = hear(place, number, await sendOne(client, setUp, number))
        if (!isKnown) unclear.push(number)
        return isKnown
      },
    },
    many: {
      ...all,
      async next({ client, place }) {
        const numbers = nextFew()
        if (numbers.length === 0) return true
        const before = unclear.length
        await hearAll(numbers, sendMany(client, setUp, numbers), (number, answer) => {
          const result = answer.ok ? { ...answer, platform: answer.done.platformAccountNumber ?? '' } : answer
          if (!hear(place, number, result)) unclear.push(number)
        })
        return unclear.length <= before
      },
    },
  }
}
