import { setTimeout } from 'node:timers/promises'
import { counted, processing, staging, type Fresh } from './requests.js'
import { onWire, verified } from './sending.js'
import type { Request } from './sweep.js'
import type { Way } from './tcp-proxy.js'
import { wireRun, type WireRun } from './wire-run.js'

/** How much of what one request takes goes through before nothing does any more. */
const shares = [0, 0.3, 0.6] as const

const mostMilliseconds = 30_000

/** Requests during which the database falls silent. */
export const silenceKinds = ['staging', 'processing'] as const
export type SilenceKind = (typeof silenceKinds)[number]

const requests: Readonly<Record<SilenceKind, Fresh>> = { staging, processing }

const mustBeDone = async (request: Request): Promise<void> => {
  const told = await request()
  if (told !== 'done') throw new Error(`not done: ${JSON.stringify(told)}`)
}

/** Asks again until it is done, or told something else, for 4 seconds. */
const again = async (request: Request): Promise<unknown> => {
  for (let attempt = 0; ; attempt += 1) {
    const told = await request()
    if (told !== 'later' || attempt === 40) return told
    await setTimeout(100)
  }
}

/**
 * Lets the database fall silent, with every connection open, after a part of what goes one way for a request: whoever asks
 * has to be told in time to come again, and then it is done once.
 */
export const silenceRun = (url: string, kind: SilenceKind, way: Way): Promise<WireRun> =>
  onWire(url, 'database', async (sending) => {
    const { proxy } = sending
    const fresh = (): Promise<Request> => counted(requests[kind])(sending)
    const faults: string[] = []
    let injected = 0
    let slowestRecoveryMilliseconds = 0
    await mustBeDone(await fresh())
    const measured = await fresh()
    proxy.set()
    await mustBeDone(measured)
    const bytes = proxy.pieces()[way].at(-1) ?? 0
    for (const share of shares) {
      // Connections that were closed are opened again before the next silence.
      await mustBeDone(await fresh())
      const request = await fresh()
      proxy.set({ kind: 'silence', way, after: Math.max(0, Math.floor(bytes * share) - 1) })
      const begun = performance.now()
      const told = await request()
      const happened = proxy.happened()
      proxy.heal()
      proxy.set()
      // What is prepared on a connection already takes fewer bytes, so the last may not be reached.
      if (told !== (happened ? 'later' : 'done'))
        faults.push(
          `${typeof told === 'string' ? told : told.fault}, after ${share} of ${bytes} bytes ${way}`,
        )
      if (happened) injected += 1
      const then = await again(request)
      const milliseconds = performance.now() - begun
      if (then !== 'done') faults.push(`not done afterwards: ${JSON.stringify(then)}`)
      if (milliseconds > mostMilliseconds) faults.push(`done after ${Math.round(milliseconds)} ms`)
      slowestRecoveryMilliseconds = Math.max(slowestRecoveryMilliseconds, milliseconds)
    }
    return wireRun(sending, { injected, slowestRecoveryMilliseconds, faults }, await verified(sending))
  })
