import { median } from '../measure/median.js'
import type { Judge } from './judge.js'
import type { PayloadSet } from './payload-sets.js'

/** What one account of a set costs, in microseconds: the medians of the rounds. */
export type Cost = Readonly<{ name: string; microseconds: number }>

export type SetCosts = Readonly<{ set: string; kilobytes: number; parse: Cost; judges: readonly Cost[] }>

const timed = (run: () => void): number => {
  const start = performance.now()
  run()
  return performance.now() - start
}

const round = (
  texts: readonly string[],
  judges: readonly Judge[],
  turn: number,
): Readonly<{ parse: number; judges: readonly number[] }> => {
  let payloads: unknown[] = []
  const parse = timed(() => {
    payloads = texts.map((text) => JSON.parse(text) as unknown)
  })
  const times = judges.map(() => 0)
  // The first judge finds other things in the caches than the later ones, so each is first in turn.
  for (let place = 0; place < judges.length; place++) {
    const at = (place + turn) % judges.length
    times[at] = timed(() => {
      for (const payload of payloads) judges[at]?.judge(payload)
    })
  }
  return { parse, judges: times }
}

/**
 * Parses the accounts of a set, and has each judge judge what was parsed, over and over for so many milliseconds
 * (after a tenth as long to warm up). `JSON.parse` starts from a string, judges start from what it made of it.
 */
export const takeTurns = (set: PayloadSet, judges: readonly Judge[], milliseconds: number): SetCosts => {
  const rounds: ReturnType<typeof round>[] = []
  const start = performance.now()
  for (let turn = 0; performance.now() - start < milliseconds * 1.1 || rounds.length < 3; turn++) {
    const measured = round(set.anew === undefined ? set.texts : set.texts.map(set.anew), judges, turn)
    if (performance.now() - start > milliseconds * 0.1) rounds.push(measured)
  }
  const each = (times: readonly number[]): number => (median(times) * 1000) / set.texts.length
  return {
    set: set.name,
    kilobytes: set.texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / set.texts.length / 1000,
    parse: { name: 'JSON.parse', microseconds: each(rounds.map(({ parse }) => parse)) },
    judges: judges.map(({ name }, at) => ({
      name,
      microseconds: each(rounds.map((measured) => measured.judges[at] ?? Number.NaN)),
    })),
  }
}
