import type { Client } from '@account-import/client'
import { setTimeout } from 'node:timers/promises'
import type { Request, RequestKind, Requests } from './requests.js'
import type { Tally } from './tally.js'

/** A short pause before the repeat of a request without a response. */
const patience = (): Promise<void> => setTimeout(100 + Math.random() * 200)

/** Requests with an unknown outcome are repeated later, after some new requests. */
const dueMilliseconds = 500

const mostMilliseconds = 60_000

/** Records the times at which servers acknowledged a request. */
const makePulse = (places: number) => {
  let listeners: ((place: number) => void)[] = []
  let latest = performance.now()
  let silence = 0
  return {
    /** The longest time in which no request of any client was acknowledged. */
    longestSilence: () => silence,
    beat: (place: number): void => {
      silence = Math.max(silence, performance.now() - latest)
      latest = performance.now()
      for (const listener of listeners) listener(place)
    },
    /** Resolves when each server has acknowledged a request from now on; rejects after the time. */
    allAnswer: async (mostMilliseconds: number): Promise<void> => {
      const silent = new Set(Array.from({ length: places }, (_, place) => place))
      const all = new Promise<'all'>((resolve) => {
        listeners.push((place) => {
          silent.delete(place)
          if (silent.size === 0) resolve('all')
        })
      })
      const late = new AbortController()
      const told = await Promise.race([
        all,
        setTimeout(mostMilliseconds, 'late', { signal: late.signal }).catch(() => 'late'),
      ])
      late.abort()
      listeners = []
      if (told === 'late')
        throw new Error(`${silent.size} servers acknowledged nothing for ${mostMilliseconds} ms`)
    },
  }
}

/** Clients of each server, which send the requests of `requests`. */
export const makeLoad = (clients: readonly Client[], requests: Requests, tally: Tally) => {
  const unclear: Readonly<{ request: Request; due: number }>[] = []
  const { beat, ...pulse } = makePulse(clients.length)
  let going = true
  let isPaused = false
  let underWay = 0
  const send = async (request: Request, place: number): Promise<boolean> => {
    underWay += 1
    const told = await request(clients[place] as Client)
    underWay -= 1
    if (told === 'done') beat(place)
    else unclear.push({ request, due: performance.now() + dueMilliseconds })
    return told === 'done'
  }
  const dueRequest = (): Request | undefined =>
    (unclear[0]?.due ?? Infinity) <= performance.now() ? unclear.shift()?.request : undefined
  const everyPlace = (work: (place: number) => Promise<void>): Promise<unknown> =>
    Promise.all(clients.map((_, place) => work(place)))
  const settle = async (): Promise<void> => {
    const begun = performance.now()
    await everyPlace(async (place) => {
      while (unclear.length > 0 && performance.now() - begun < mostMilliseconds) {
        const request = unclear.shift()?.request
        if (request !== undefined && !(await send(request, place))) await patience()
      }
    })
    if (unclear.length > 0) tally.violations.push(`I4: ${unclear.length} requests have no answer`)
  }
  return {
    ...pulse,
    /** Begins; resolves when it was stopped and no request is running. */
    async run(kinds: readonly RequestKind[], clientsEach: number): Promise<void> {
      going = true
      const ask = async (place: number, first: number): Promise<void> => {
        for (let turn = first; going; turn += 1) {
          const kind = kinds[turn % kinds.length] as RequestKind
          const request = isPaused ? undefined : (dueRequest() ?? requests.fresh(kind))
          if (request === undefined) await setTimeout(5)
          else if (!(await send(request, place))) await patience()
        }
      }
      await everyPlace(async (place) => {
        await Promise.all(Array.from({ length: clientsEach }, (_, first) => ask(place, first)))
      })
    },
    stop: (): void => void (going = false),
    /** Stops sending; resolves when no request is running, at once for a killed server. */
    pause: async () => {
      isPaused = true
      while (underWay > 0) await setTimeout(5)
    },
    resume: (): void => void (isPaused = false),
    /** Repeats all requests of unknown outcome, and processes all staged accounts but a number of them. */
    async finish(leftStaged: number): Promise<void> {
      await settle()
      await everyPlace(async (place) => {
        while (requests.waiting.length > leftStaged) {
          const request = requests.fresh('processing')
          if (request !== undefined && !(await send(request, place))) await patience()
        }
      })
      await settle()
    },
  }
}

export type Load = ReturnType<typeof makeLoad>
