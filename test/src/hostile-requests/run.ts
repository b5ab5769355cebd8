import { setTimeout } from 'node:timers/promises'
import type { Examined } from './contract/examined.js'
import { examine } from './contract/examine.js'
import type { Answer, Exchange, NoAnswer } from './exchange.js'
import type { Facts, Request } from './request.js'
import { sequenceOf } from './requests/sequences.js'

/** An answer that is not as it has to be. */
export type Violation = Readonly<{
  /** Of the run: with the seed it repeats what was sent. */
  sequence: number
  request: string
  answer: string
  faults: readonly string[]
}>

/** What came of a run. */
export type Outcome = {
  requests: number
  /** How often an endpoint answered with a status, by `POST /v1/… 201`. */
  readonly answers: Map<string, number>
  readonly codes: Set<string>
  readonly violations: Violation[]
}

export const emptyOutcome = (): Outcome => ({
  requests: 0,
  answers: new Map(),
  codes: new Set(),
  violations: [],
})

type Answered = Readonly<{ answer: Answer | NoAnswer; examined: Examined }>

const shortened = (bytes: Uint8Array | undefined): string =>
  bytes === undefined ? '' : ` ${JSON.stringify(Buffer.from(bytes).toString('latin1').slice(0, 600))}`

const shown = ({ sent: { method, target, headers, body, raw } }: Request): string =>
  raw === undefined
    ? `${method} ${JSON.stringify(target)} ${JSON.stringify(headers.map(([name, value]) => (name === 'Authorization' ? [name] : [name, value.slice(0, 100)])))}${shortened(body)}`
    : `bytes${shortened(raw)}`

/** On a machine that has too much to do the service says so, whatever is asked. */
const mostTimes = 60

const answered = async (exchange: Exchange, request: Request, times = 1): Promise<Answered> => {
  const answer = await exchange.send(request.sent)
  const examined = examine(request, answer)
  if (!examined.codes.includes('service_busy') || times === mostTimes) return { answer, examined }
  await setTimeout(1000)
  return answered(exchange, request, times + 1)
}

/** Sends a request and notes what is answered. */
export const tryRequest = async (
  exchange: Exchange,
  request: Request,
  sequence: number,
  outcome: Outcome,
): Promise<void> => {
  const { answer, examined } = await answered(exchange, request)
  const { endpoint, status, codes, faults } = examined
  outcome.requests += 1
  const key = `${endpoint} ${status}`
  outcome.answers.set(key, (outcome.answers.get(key) ?? 0) + 1)
  for (const code of codes) outcome.codes.add(code)
  if (faults.length === 0) return
  const body = 'silent' in answer ? answer.why : `${status}${shortened(answer.body)}`
  outcome.violations.push({ sequence, request: shown(request), answer: body, faults })
}

export type RunOptions = Readonly<{
  seed: number
  /** Sequences are begun until so many requests were sent. */
  requests: number
  /** So many sequences are under way at one time; 6 by default, and at most. */
  lanes?: number
  /** The first sequence; 0 by default. */
  from?: number
  /** Whether the run ends with the first violation. */
  endOnViolation?: boolean
}>

/** Sends sequences of requests to a service, and holds each answer to the OpenAPI document. */
export const hostileRun = async (
  exchange: Exchange,
  facts: Facts,
  { seed, requests, lanes = 6, from = 0, endOnViolation = false }: RunOptions,
): Promise<Outcome> => {
  const outcome = emptyOutcome()
  let next = from
  const isOver = (): boolean =>
    outcome.requests >= requests || (endOnViolation && outcome.violations.length > 0)
  const lane = async (supplier: string): Promise<void> => {
    while (!isOver()) {
      const index = next++
      const account = { ...facts, supplier, number: `H-${seed}-${index}` }
      for (const atOnce of sequenceOf(seed, index)(account)) {
        if (isOver()) return
        await Promise.all(atOnce.map((request) => tryRequest(exchange, request, index, outcome)))
      }
    }
  }
  await Promise.all(facts.suppliers.slice(0, lanes).map(lane))
  return outcome
}
