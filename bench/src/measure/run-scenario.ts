import type { Target } from '../servers.js'
import {
  forgetPeak,
  peakMemory,
  type Measured,
  type Scenario,
  type Subject,
  type TargetResult,
} from './subject.js'

export type Plan = Readonly<{ rounds: number; milliseconds: number }>

/** A target with what it is asked to do, and what came of it. */
type Entry = Readonly<{ subject: Subject; asked: Scenario; rounds: Measured[] }>

/**
 * The work of a target in a scenario; undefined where it has nothing like it. Without bulk requests the floor
 * processes for 64 clients, and the peer stages one by one at 256.
 */
const askedOf = (target: Target, scenario: Scenario): Scenario | undefined => {
  const { verb } = scenario
  if (target === 'floor' && verb === 'bulk-process') return { ...scenario, verb: 'process', clients: 64 }
  if (target !== 'fastify' || verb === 'validate' || verb === 'stage') return scenario
  return verb === 'bulk-stage' ? { ...scenario, verb: 'stage', clients: 256 } : undefined
}

/** Accounts a second that are taken as possible before anything is known. */
const assumedRate = ({ size }: Scenario): number => (size === 'heavy' ? 200 : 1200)

/** Makes enough accounts for a run and no more than needed, as many as the fastest run yet would take, and runs it. */
const runEntry = async ({ subject, asked, rounds }: Entry, milliseconds: number): Promise<Measured> => {
  const rate = rounds.length === 0 ? assumedRate(asked) : Math.max(...rounds.map((round) => round.rate)) * 1.3
  await subject.stock(asked, Math.ceil((rate * milliseconds) / 1000))
  return subject.run(asked, milliseconds)
}

/** Each is first and last equally often, so that other work of the machine hits all alike. */
const turn = <A>(entries: readonly A[], round: number): readonly A[] => {
  const at = round % entries.length
  const turned = [...entries.slice(at), ...entries.slice(0, at)]
  return round % 2 === 0 ? turned : turned.toReversed()
}

/** The first run compiles, connects and prepares; a target that does not know what is asked for is left out. */
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
 * Runs the targets in turns. Accounts are staged outside the measured time before they are processed, and a first round is
 * not counted.
 */
export const runScenario = async (
  scenario: Scenario,
  subjects: readonly Subject[],
  { rounds, milliseconds }: Plan,
): Promise<readonly TargetResult[]> => {
  const entries: Entry[] = []
  for (const subject of subjects) {
    const asked = askedOf(subject.system.target, scenario)
    const entry = asked && { subject, asked, rounds: [] }
    if (entry && (await warmedUp(entry, Math.min(1500, milliseconds)))) entries.push(entry)
  }
  for (const { subject } of entries) forgetPeak(subject.system.pid)
  for (let round = 0; round < rounds; round += 1)
    for (const entry of turn(entries, round)) entry.rounds.push(await runEntry(entry, milliseconds))
  return entries.map(({ subject, rounds: results }) => ({
    target: subject.system.target,
    rounds: results,
    peakMemory: peakMemory(subject.system.pid),
  }))
}
