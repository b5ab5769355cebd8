import type { AuditUseCases, PortFailure } from '@account-import/core'
import { pause } from './emails/pause.js'

/** How many at a time (1 to 1000), for how long to rest after them, and when nothing waits, or another server is at it. */
export type SealingPace = Readonly<{
  batch: number
  restMilliseconds: number
  idleMilliseconds: number
  elsewhereMilliseconds: number
}>

const usualPace: SealingPace = {
  batch: 250,
  restMilliseconds: 20,
  idleMilliseconds: 2000,
  elsewhereMilliseconds: 8000,
}

export type SealingLoop = Readonly<{
  /** Resolves when nothing goes on any more. */
  stop(): Promise<void>
}>

/**
 * Seals what was recorded, a bounded number at a time, until it is stopped. Every server may do so: who finds another at it
 * leaves it alone for a while. After a failure it tries again later.
 */
export const startSealing = (
  { seal }: Pick<AuditUseCases, 'seal'>,
  onFailure: (failure: PortFailure) => void,
  pace: SealingPace = usualPace,
): SealingLoop => {
  const stopping = new AbortController()
  const { signal } = stopping
  const nextPause = async (): Promise<number> => {
    const sealing = await seal(pace.batch)()
    if (sealing._tag === 'Left') {
      onFailure(sealing.left)
      return pace.elsewhereMilliseconds
    }
    if (sealing.right._tag === 'elsewhere') return pace.elsewhereMilliseconds * (0.5 + Math.random())
    return sealing.right.more ? pace.restMilliseconds : pace.idleMilliseconds * (0.5 + Math.random())
  }
  const run = async (): Promise<void> => {
    await pause(pace.idleMilliseconds * Math.random(), signal)
    while (!signal.aborted) await pause(await nextPause(), signal)
  }
  const ended = run()
  return {
    stop: () => {
      stopping.abort()
      return ended
    },
  }
}
