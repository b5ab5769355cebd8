import { hostilePayloads } from './hostile-payloads.js'
import { ours } from './judge.js'

/** How long a hostile payload keeps everything else waiting, at worst and at best of the rounds. */
export type WorstCase = Readonly<{ name: string; megabytes: number; milliseconds: number; best: number }>

const judged = (payload: unknown): number => {
  const start = performance.now()
  ours.judge(payload)
  return performance.now() - start
}

/** Judges each hostile payload so many times; nothing is left out as a warm-up, as no attacker waits for one. */
export const worstCases = (rounds: number): readonly WorstCase[] =>
  Object.entries(hostilePayloads).map(([name, make]) => {
    const text = JSON.stringify({ import_supplier: 'LEVANTE', external_account_number: 'LEV-1', ...make() })
    const times = Array.from({ length: rounds }, () => judged(JSON.parse(text)))
    return {
      name,
      megabytes: Buffer.byteLength(text) / 1_000_000,
      milliseconds: Math.max(...times),
      best: Math.min(...times),
    }
  })
