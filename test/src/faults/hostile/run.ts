import { setTimeout } from 'node:timers/promises'
import { examine, type Examined } from './examine.js'
import { canary, exchangeWith, type Account, type Answer, type NoAnswer, type Request } from './exchange.js'
import { sequenceOf } from './requests/sequences.js'
import type { Service } from './service/service.js'

/** A faulty response. The sequence is that of the run: with the seed it repeats the requests. */
type Violation = Readonly<{
  sequence: number
  request: string
  answer: string
  faults: readonly string[]
}>

/** The result of a run. */
export type Outcome = {
  requests: number
  /** The number of responses of an endpoint with a status, by `POST /v1/… 201`. */
  readonly answers: Map<string, number>
  readonly codes: Set<string>
  readonly violations: Violation[]
}

const shortened = (bytes: Uint8Array | undefined): string =>
  bytes === undefined ? '' : ` ${JSON.stringify(Buffer.from(bytes).toString('latin1').slice(0, 600))}`

const shown = ({ sent: { method, target, headers, body, raw } }: Request): string => {
  if (raw !== undefined) return `bytes${shortened(raw)}`
  const short = headers.map(([name, value]) =>
    name === 'Authorization' ? [name] : [name, value.slice(0, 100)],
  )
  return `${method} ${JSON.stringify(target)} ${JSON.stringify(short)}${shortened(body)}`
}

/** An overloaded service may refuse any request. */
const mostTimes = 60

/** Sends a request of a sequence and records the response. */
export type Try = (request: Request, sequence: number) => Promise<void>

/**
 * Sends requests to a service, then closes it, and compares each response with the OpenAPI document; without a response for
 * `patienceMilliseconds`, it hangs.
 */
export const askService = async (
  service: Service,
  patienceMilliseconds: number,
  work: (tryRequest: Try, outcome: Outcome) => Promise<void>,
): Promise<Outcome> => {
  const outcome: Outcome = { requests: 0, answers: new Map(), codes: new Set(), violations: [] }
  const exchange = exchangeWith(service.port, patienceMilliseconds)
  const answered = async (
    request: Request,
    times = 1,
  ): Promise<Examined & Readonly<{ answer: Answer | NoAnswer }>> => {
    const answer = await exchange.send(request.sent)
    const examined = examine(request, answer)
    if (!examined.codes.includes('service_busy') || times === mostTimes) return { answer, ...examined }
    await setTimeout(1000)
    return answered(request, times + 1)
  }
  const tryRequest: Try = async (request, sequence) => {
    const { answer, endpoint, status, codes, faults } = await answered(request)
    const key = `${endpoint} ${status}`
    outcome.requests += 1
    outcome.answers.set(key, (outcome.answers.get(key) ?? 0) + 1)
    for (const code of codes) outcome.codes.add(code)
    if (faults.length === 0) return
    const came = 'silent' in answer ? answer.why : `${status}${shortened(answer.body)}`
    outcome.violations.push({ sequence, request: shown(request), answer: came, faults })
  }
  let end: string | undefined
  let log = ''
  try {
    await work(tryRequest, outcome)
    end = service.ended()
  } finally {
    exchange.close()
    log = await service.close()
  }
  const faults = [
    ...(end === undefined ? [] : [`the service does not run any more: ${end}`]),
    ...(log.includes(canary) ? ['a value that was sent is in the log'] : []),
  ]
  if (faults.length > 0) outcome.violations.push({ sequence: -1, request: 'all of them', answer: '', faults })
  return outcome
}

/** `requests`: sequences begin until this number was sent; `lanes`: sequences that run at one time, 6 at most. */
export type RunOptions = Readonly<{
  seed: number
  requests: number
  lanes?: number
  /** The first sequence; 0 by default. */
  from?: number
  /** Whether the run ends with the first violation. */
  endOnViolation?: boolean
  patienceMilliseconds?: number
}>

/** Sends sequences of random requests to a service, which is closed then. */
export const randomRun = (service: Service, options: RunOptions): Promise<Outcome> => {
  const { seed, requests, lanes = 6, from = 0, endOnViolation, patienceMilliseconds = 60_000 } = options
  return askService(service, patienceMilliseconds, async (tryRequest, outcome) => {
    let next = from
    const isOver = (): boolean =>
      outcome.requests >= requests || (endOnViolation === true && outcome.violations.length > 0)
    const lane = async (supplier: string): Promise<void> => {
      while (!isOver()) {
        const index = next++
        const account: Account = { ...service.facts, supplier, number: `H-${seed}-${index}` }
        for (const atOnce of sequenceOf(seed, index)(account)) {
          if (isOver()) return
          await Promise.all(atOnce.map((request) => tryRequest(request, index)))
        }
      }
    }
    await Promise.all(service.facts.suppliers.slice(0, lanes).map(lane))
  })
}
