import { parseArgs } from 'node:util'
import type { Scenario } from './measure/scenario.js'
import { verbs, type Verb } from './workload/requests.js'

/** The parts of a run: validating accounts, the same with hostile ones, and staging and processing over HTTP. */
const allSections = ['validation', 'hostile', 'http'] as const

export type Section = (typeof allSections)[number]

export type Options = Readonly<{
  sections: readonly Section[]
  json: boolean
  scenarios: readonly Scenario[]
  rounds: number
  seconds: number
  /** Staging at length instead of the scenarios; seconds. */
  soakSeconds: number | undefined
  /** A folder for the CPU profile of our server. */
  profileFolder: string | undefined
}>

export const usage = `npm run bench -- [options]
  --only validation       only this section; or: hostile, http (all three)
  --verbs stage,process   what is measured; or: transactions, 1,000 in a request (all three)
  --clients 1,8,64        at how many clients (all three)
  --rounds N              rounds of each, ours and the floor in turns (3)
  --seconds S             length of a round (4)
  --stage-soak S          only stage, on our server, at the most clients, for S seconds
  --profile FOLDER        leave a CPU profile of our server there
  --json                  JSON on stdout instead of tables, one line for each section`

const numbers = (text: string): readonly number[] =>
  text.split(',').map((part) => {
    const value = Number(part)
    if (!(value > 0)) throw new TypeError(`${part} is not a number above 0`)
    return value
  })

const verbsIn = (text: string): readonly Verb[] =>
  text.split(',').map((part) => {
    const verb = verbs.find((each) => each === part)
    if (verb === undefined) throw new TypeError(`${part} is none of ${verbs.join(', ')}`)
    return verb
  })

const sections = (only: string | undefined): readonly Section[] => {
  if (only === undefined) return allSections
  const section = allSections.find((each) => each === only)
  if (section === undefined) throw new TypeError(`${only} is none of ${allSections.join(', ')}`)
  return [section]
}

const parse = (args: readonly string[]): Options => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      only: { type: 'string' },
      verbs: { type: 'string', default: verbs.join() },
      clients: { type: 'string', default: '1,8,64' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '4' },
      'stage-soak': { type: 'string' },
      profile: { type: 'string' },
    },
  })
  const clients = numbers(values.clients)
  const soak = values['stage-soak']
  return {
    sections: sections(values.only),
    json: values.json,
    scenarios: verbsIn(values.verbs).flatMap((verb) => clients.map((each) => ({ verb, clients: each }))),
    rounds: numbers(values.rounds)[0] ?? 1,
    seconds: numbers(values.seconds)[0] ?? 1,
    soakSeconds: soak === undefined ? undefined : numbers(soak)[0],
    profileFolder: values.profile,
  }
}

/** Reads the command line, or says what is wrong with it. */
export const readOptions = (args: readonly string[]): Options | string => {
  try {
    return parse(args)
  } catch (cause) {
    if (cause instanceof TypeError) return cause.message
    throw cause
  }
}
