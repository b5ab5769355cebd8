import { median } from '../measure/median.js'
import type { Validator } from './validator.js'
import type { PayloadSet } from './payload-sets.js'

/** What one account of a set costs, in microseconds: the medians of the rounds. */
export type Cost = Readonly<{ name: string; microseconds: number }>

export type SetCosts = Readonly<{ set: string; kilobytes: number; parse: Cost; validators: readonly Cost[] }>

const timed = (run: () => void): number => {
  const start = performance.now()
  run()
  return performance.now() - start
}

const round = (
  texts: readonly string[],
  validators: readonly Validator[],
  turn: number,
): Readonly<{ parse: number; validators: readonly number[] }> => {
  let payloads: unknown[] = []
  const parse = timed(() => {
    payloads = texts.map((text) => JSON.parse(text) as unknown)
  })
  const times = validators.map(() => 0)
  // The first validate finds other things in the caches than the later ones, so each is first in turn.
  for (let index = 0; index < validators.length; index++) {
    const at = (index + turn) % validators.length
    times[at] = timed(() => {
      for (const payload of payloads) validators[at]?.validate(payload)
    })
  }
  return { parse, validators: times }
}

/**
 * Parses the accounts of a set, and has each validator validate what was parsed, over and over for so many milliseconds
 * (after a tenth as long to warm up). `JSON.parse` starts from a string, validators start from what it made of it.
 */
export const takeTurns = (
  set: PayloadSet,
  validators: readonly Validator[],
  milliseconds: number,
): SetCosts => {
  const rounds: ReturnType<typeof round>[] = []
  const start = performance.now()
  for (let turn = 0; performance.now() - start < milliseconds * 1.1 || rounds.length < 3; turn++) {
    const measured = round(set.anew === undefined ? set.texts : set.texts.map(set.anew), validators, turn)
    if (performance.now() - start > milliseconds * 0.1) rounds.push(measured)
  }
  const each = (times: readonly number[]): number => (median(times) * 1000) / set.texts.length
  return {
    set: set.name,
    kilobytes: set.texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / set.texts.length / 1000,
    parse: { name: 'JSON.parse', microseconds: each(rounds.map(({ parse }) => parse)) },
    validators: validators.map(({ name }, at) => ({
      name,
      microseconds: each(rounds.map((measured) => measured.validators[at] ?? Number.NaN)),
    })),
  }
}
