import type { BulkResults, Client, ProcessedLine, Result, StagedLine } from '@account-import/client'
import type { AccountKey } from '@account-import/core'
import { gasAccount } from '../../support/samples.js'
import type { SetUp } from '../../support/set-up.js'
import { addByClient, additionKinds, sentAddition } from './additions.js'
import type { SentAddition, Tally } from './tally.js'

export const requestKinds = ['staging', 'processing', 'bulk staging', 'bulk processing', 'additions'] as const
export type RequestKind = (typeof requestKinds)[number]

/** One request, which any client may repeat until it is done or refused for good: `later` for an unknown outcome. */
export type Request = (client: Client) => Promise<'done' | 'later'>

/** The part of an answer that is read. */
type Answer = Readonly<{ ok: boolean; status: number; code?: string }>

const cutOff: Answer = { ok: false, status: 0, code: 'answer_cut' }

/** Counts a response and returns its meaning; records one that is never allowed. */
const note = (tally: Tally, what: string, answer: Answer, mayBeAway: boolean) => {
  const { counts, violations } = tally
  counts.requests += 1
  if (answer.ok) {
    counts.acknowledged += 1
    return 'done'
  }
  const isCut = answer.code === 'network' || answer.code === 'answer_cut'
  if (isCut) counts.unanswered += 1
  if (isCut || answer.status === 429 || (answer.status === 503 && mayBeAway)) return 'later'
  if (answer.status < 500) return 'refused'
  violations.push(`I8: ${what}: ${answer.status} ${answer.code}`)
  return 'later'
}

/** The outcome of one account by a request for it alone, or by its line of a bulk request. */
type AccountAnswer =
  | Readonly<{ ok: true; status: number; platform?: string | undefined }>
  | Readonly<{ ok: false; status: number; code: string; problem: object }>

type Ask = (client: Client, numbers: readonly string[]) => Promise<ReadonlyMap<string, AccountAnswer>>

const alone = <Body>(
  number: string,
  result: Result<Body>,
  platform: (body: Body) => string | undefined = () => undefined,
): ReadonlyMap<string, AccountAnswer> =>
  new Map([
    [number, result.ok ? { ok: true, status: result.status, platform: platform(result.body) } : result],
  ])

/** The results of a bulk request by account; accounts of an interrupted request are missing. */
const byLine = async (
  numbers: readonly string[],
  results: BulkResults<StagedLine | ProcessedLine>,
): Promise<ReadonlyMap<string, AccountAnswer>> => {
  const answers = new Map<string, AccountAnswer>()
  for await (const result of results) {
    if (result.outcome === 'stopped') {
      for (const number of numbers) if (!answers.has(number)) answers.set(number, result.failure)
      return answers
    }
    const number = numbers[result.line - 1] ?? ''
    if (result.outcome === 'failed') answers.set(number, { ok: false, ...result })
    else {
      const platform = 'platformAccountNumber' in result ? result.platformAccountNumber : undefined
      answers.set(number, { ok: true, status: result.status, platform })
    }
  }
  if (results.summary.complete && answers.size < numbers.length) throw new Error('accounts are left out')
  return answers
}

/** Never retries: the load does. */
const once = { retrySeconds: 0 }

/** Sends requests while one of the accounts is not `heard`. */
const forAccounts = (
  numbers: readonly string[],
  ask: Ask,
  hear: (number: string, answer: AccountAnswer | undefined) => boolean,
): Request => {
  let left = numbers
  return async (client) => {
    const answers = await ask(client, left)
    left = left.filter((number) => !hear(number, answers.get(number)))
    return left.length === 0 ? 'done' : 'later'
  }
}

/** Accounts of a bulk request. */
const atOnce = 8

/** In a load of several kinds, two clients request every n-th account, and one of them creates it. */
const racedEach = 5

/** The targets of requests, and the known state of their data. */
export type Addressed = Readonly<{
  setUp: SetUp
  key(number: string): AccountKey
  tally: Tally
  /** Whether 503 is allowed, because the database may be unreachable. */
  mayBeAway: boolean
  /** The accounts for additions. */
  busy: readonly string[]
}>

export type Requests = Readonly<{
  /** Staged, and in no request yet. */
  waiting: string[]
  /** A request that was not sent before; undefined if no staged account is left. */
  fresh(kind: RequestKind): Request | undefined
  /** A new number, and its payload, recorded as sent. */
  nextAccount(): Readonly<{ number: string; payload: object }>
  /** Repeats an addition; returns the fault of the response. */
  repeats: readonly ((client: Client) => Promise<string | undefined>)[]
}>

const numberIn = (problem: object): string =>
  'platform_account_number' in problem ? String(problem.platform_account_number) : ''

const accountRequests = ({ setUp, key, tally, mayBeAway }: Addressed) => {
  const waiting: string[] = []
  let count = 0
  let acknowledged = 0
  const payloadOf = (number: string) => {
    const payload = gasAccount(setUp.supplier, number)
    tally.stage(key(number), payload)
    return payload
  }
  const refused = (what: string, code: string): void => void tally.violations.push(`I2, I8: ${what}: ${code}`)
  const noteStaged = (number: string, answer: AccountAnswer | undefined): boolean => {
    const what = `stage ${number}`
    const said = note(tally, what, answer ?? cutOff, mayBeAway)
    if (said === 'done') {
      tally.staged(key(number))
      waiting.push(number)
      if ((acknowledged += 1) % racedEach === 0) waiting.push(number)
    } else if (said === 'refused' && answer?.ok === false) refused(what, answer.code)
    return said !== 'later'
  }
  const noteProcessed = (number: string, answer: AccountAnswer | undefined): boolean => {
    const what = `process ${number}`
    const said = note(tally, what, answer ?? cutOff, mayBeAway)
    if (answer?.ok === true) tally.created(key(number), answer.platform ?? '')
    else if (said === 'refused' && answer?.code === 'account_already_imported')
      tally.hear(key(number), numberIn(answer.problem))
    else if (said === 'refused') refused(what, answer?.code ?? '')
    return said !== 'later'
  }
  const stageOne: Ask = async (client, [number = '']) =>
    alone(number, await client.stageAccount(payloadOf(number)))
  const stageMany: Ask = (client, numbers) => byLine(numbers, client.bulkStage(numbers.map(payloadOf), once))
  const names = { import_supplier_code: setUp.supplier, operations_team_name: setUp.team }
  const processOne: Ask = async (client, [number = '']) =>
    alone(
      number,
      await client.processAccount({ ...names, external_account_number: number }),
      (body) => body.platform_account_number,
    )
  const processMany: Ask = (client, numbers) =>
    byLine(numbers, client.bulkProcess({ ...names, external_account_numbers: numbers }, once))
  const next = (): string => `A-${(count += 1)}`
  /** An account of two requests is not twice in one of them. */
  const take = (most: number): readonly string[] => {
    const few = new Set(waiting.splice(0, most))
    return [...few]
  }
  const process = (most: number, ask: Ask): Request | undefined => {
    const numbers = take(most)
    return numbers.length === 0 ? undefined : forAccounts(numbers, ask, noteProcessed)
  }
  return {
    waiting,
    nextAccount: () => {
      const number = next()
      return { number, payload: payloadOf(number) }
    },
    fresh: {
      staging: () => forAccounts([next()], stageOne, noteStaged),
      'bulk staging': () => forAccounts(Array.from({ length: atOnce }, next), stageMany, noteStaged),
      processing: () => process(1, processOne),
      'bulk processing': () => process(atOnce, processMany),
    },
  }
}

/** Items of one request for additions. */
const itemsEach = 5

const additionRequests = ({ key, tally, mayBeAway, busy }: Addressed) => {
  const repeats: Requests['repeats'][number][] = []
  let count = 0
  const noteAnswer = (addition: SentAddition, wasSent: boolean, { result, verdict }: Added): boolean => {
    const what = `${addition.key.externalAccountNumber} ${addition.items[0]}`
    const said = note(tally, what, verdict === 'there' ? { ok: true, status: 200 } : result, mayBeAway)
    if (said === 'later') return false
    if (said === 'refused' && !result.ok) tally.violations.push(`I2, I8: ${what}: ${result.code}`)
    else if (typeof verdict === 'object') tally.violations.push(`I3, I8: ${what}: ${verdict.fault}`)
    else if (verdict === 'there' && !wasSent) tally.violations.push(`I5: ${what}: there before it was sent`)
    else tally.settle(addition)
    return true
  }
  /** The kinds take turns, and the accounts. */
  const fresh = (): Request => {
    const ordinal = count++
    const kind = additionKinds[ordinal % additionKinds.length] ?? 'note'
    const to = key(busy[Math.floor(ordinal / additionKinds.length) % busy.length] ?? '')
    const length = kind === 'instruction' ? 1 : itemsEach
    const names = Array.from({ length }, (_, index) => `${ordinal}-${index}`)
    const addition = sentAddition(to, kind, names)
    tally.add(addition)
    // A repeated instruction gets the same response, and is stored once.
    repeats.push(async (client) => {
      const { result, verdict } = await addByClient[kind](client, to, names)
      const isThere = verdict === 'there' || (kind === 'instruction' && verdict === 'added')
      if (isThere) return undefined
      const said = result.ok ? JSON.stringify(verdict) : `${result.status} ${result.code}`
      return `I5: ${addition.items[0]} again: ${said}`
    })
    let wasSent = false
    return async (client) => {
      const isKnown = noteAnswer(addition, wasSent, await addByClient[kind](client, to, names))
      wasSent = true
      return isKnown ? 'done' : 'later'
    }
  }
  return { fresh, repeats }
}

type Added = Awaited<ReturnType<(typeof addByClient)['note']>>

/** Requests of clients that stage new accounts, process staged ones, and add to the busy accounts. */
export const makeRequests = (addressed: Addressed): Requests => {
  const accounts = accountRequests(addressed)
  const additions = additionRequests(addressed)
  const fresh = { ...accounts.fresh, additions: additions.fresh }
  return { ...accounts, repeats: additions.repeats, fresh: (kind) => fresh[kind]() }
}
