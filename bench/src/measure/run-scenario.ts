import type { Target } from '../servers/system.js'
import { askedOf } from './asked-of.js'
import type { Measured } from './measured.js'
import { forgetPeak, peakMemory } from './process-tree.js'
import type { Scenario, TargetResult } from './scenario.js'
import type { Subject } from './subject.js'

export type Plan = Readonly<{ rounds: number; milliseconds: number }>

/** A target with what it is asked to do, and what came of it. */
type Entry = Readonly<{ subject: Subject; asked: Scenario; rounds: Measured[] }>

/** Accounts a second that are taken as possible before anything is known. */
const assumedRate = (scenario: Scenario): number => {
  if (scenario.verb === 'transactions') return 60
  return scenario.payload.size === 'heavy' ? 200 : 1200
}

/** Makes enough accounts for a run and no more than needed: as many as the fastest run yet would take. */
const stockFor = ({ asked, rounds }: Entry, milliseconds: number): number => {
  const rate = rounds.length === 0 ? assumedRate(asked) : Math.max(...rounds.map((round) => round.rate)) * 1.3
  return Math.ceil((rate * milliseconds) / 1000)
}

const runEntry = async (entry: Entry, milliseconds: number): Promise<Measured> => {
  const { subject, asked } = entry
  await subject.stock(asked, stockFor(entry, milliseconds))
  return subject.run(asked, milliseconds)
}

/** Each is first and last equally often, so that other work of the machine hits all alike. */
const turn = <A>(entries: readonly A[], round: number): readonly A[] => {
  const turned = entries.map((_, at) => entries[(at + round) % entries.length] as A)
  return round % 2 === 0 ? turned : turned.toReversed()
}

/** The first run compiles, connects and prepares; whoever does not know what is asked for is left out. */
const warmedUp = async (entry: Entry, milliseconds: number): Promise<boolean> => {
  const { failed, firstFailure, succeeded } = await runEntry(entry, milliseconds)
  if (firstFailure === undefined) return true
  const { target } = entry.subject.system
  if (succeeded > 0 || failed['404'] === undefined)
    throw new Error(`${target} cannot ${entry.asked.verb}: ${JSON.stringify(failed)} ${firstFailure}`)
  console.error(`${target} does not know ${entry.asked.verb}`)
  return false
}

/**
 * Runs the targets in turns. What has to be staged before is staged outside the measured time, and a first round is
 * not counted. `afterWarmUp` is called with the targets that take part.
 */
export const runScenario = async (
  scenario: Scenario,
  subjects: readonly Subject[],
  { rounds, milliseconds }: Plan,
  afterWarmUp: (targets: readonly Target[]) => Promise<void>,
): Promise<readonly TargetResult[]> => {
  const entries: Entry[] = []
  for (const subject of subjects) {
    const asked = askedOf(subject.system.target, scenario)
    const entry = asked && { subject, asked, rounds: [] }
    if (entry && (await warmedUp(entry, Math.min(1500, milliseconds)))) entries.push(entry)
  }
  await afterWarmUp(entries.map(({ subject }) => subject.system.target))
  for (const { subject } of entries) forgetPeak(subject.system.pid)
  for (let round = 0; round < rounds; round += 1)
    for (const entry of turn(entries, round)) entry.rounds.push(await runEntry(entry, milliseconds))
  return entries.map(({ subject, rounds: results }) => ({
    target: subject.system.target,
    rounds: results,
    peakMemory: peakMemory(subject.system.pid),
  }))
}
