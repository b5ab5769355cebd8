import { connectSql, createSqlPorts, migrate } from '@account-import/adapter-sql'
import { scopes } from '@account-import/core'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { machineText, markdownTable, saveTable } from '../report/figures.js'
import { median } from '../../support/median.js'
import { databaseBackends, onBackend } from '../../support/on-backend.js'
import type { Command } from '../command.js'
import { floods, withFloodedServer } from './floods.js'
import { endpointNames, ours, requests, theirs, twoOrganisations, type Named } from './identity.js'
import { randomRun, type Outcome } from './run.js'
import { served } from './service/service.js'
import { tryFlood } from './try-flood.js'

const isWithin = (number: number, least: number, most: number): boolean =>
  Number.isSafeInteger(number) && number >= least && number <= most

const wrongUsage = (usage: string): number => {
  console.error(usage)
  return 2
}

/** What came of a run, in one line. */
export const summaryOf = ({ requests, answers, codes, violations }: Outcome, milliseconds: number): string =>
  `${requests} requests in ${Math.round(milliseconds / 1000)} s, ${answers.size} pairs of endpoint and status, ` +
  `${codes.size} codes, ${violations.length} violations`

/** Endpoints, and the statuses that each answered with, as a table. */
const tableOf = ({ answers }: Outcome): string => {
  const pairs = [...answers].map(([key, count]) => {
    const at = key.lastIndexOf(' ')
    return { endpoint: key.slice(0, at), status: Number(key.slice(at + 1)), count }
  })
  const endpoints = [...new Set(pairs.map(({ endpoint }) => endpoint))]
  const rows = endpoints
    .toSorted((left, right) => left.localeCompare(right, 'en'))
    .map((endpoint) => {
      const found = pairs.filter((pair) => pair.endpoint === endpoint)
      const statuses = found.map(({ status }) => status).toSorted((a, b) => a - b)
      // No answer is right where the stream of lines was cut, as its packed bytes were damaged.
      const shown = statuses.map((status) => (status === 0 ? 'cut' : String(status))).join(', ')
      return [endpoint, String(found.reduce((sum, { count }) => sum + count, 0)), shown]
    })
  return markdownTable([['endpoint', 'requests', 'statuses'], ...rows], 1)
}

const shownViolations = 20

const hostile: Command = {
  usage: `npm run faults -- hostile [options]
Sends random requests, made from the OpenAPI document, to a server of its own, and holds every answer to the document: no 5xx
because of what was sent, no crash, no undeclared status, header, content type or body, no value that was sent in a refusal or the log.
  --requests N  1 to 100000000 (20000)
  --seed S      a whole number (another one each time)
  --from N      the first sequence of the run (0); with --lanes 1 and --requests 40 it repeats one sequence
  --lanes N     sequences under way at one time, 1 to 6 (6)
  --on NAME     ${databaseBackends.join(' or ')} (sqlite)
  --save        writes the figures into docs/reference/hostile-input.md`,
  run: async (args) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        requests: { type: 'string', default: '20000' },
        seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
        from: { type: 'string', default: '0' },
        lanes: { type: 'string', default: '6' },
        on: { type: 'string', default: 'sqlite' },
        save: { type: 'boolean', default: false },
      },
    })
    const [seed, count, from, lanes] = [values.seed, values.requests, values.from, values.lanes].map(
      Number,
    ) as [number, number, number, number]
    const backend = databaseBackends.find((each) => each === values.on)
    const areCounts = isWithin(seed, 0, 2 ** 31) && isWithin(count, 1, 1e8) && isWithin(from, 0, 2 ** 31)
    if (backend === undefined || !areCounts || !isWithin(lanes, 1, 6)) return wrongUsage(hostile.usage)
    console.log(`seed ${seed}, on ${backend}`)
    const began = performance.now()
    const options = { seed, requests: count, from, lanes }
    const outcome = await onBackend[backend](async (url) => randomRun(await served(url), options))
    const [table, summary] = [tableOf(outcome), summaryOf(outcome, performance.now() - began)]
    console.log(`${table}\n\n${summary}`)
    for (const { sequence, request, answer, faults } of outcome.violations.slice(0, shownViolations))
      console.error(`\nsequence ${sequence}: ${faults.join('; ')}\n  ${request}\n  ${answer}`)
    const what = machineText(`${backend}, seed ${seed}`)
    if (values.save) saveTable('requests', `${what}: ${summary}.\n\n${table}`, 'hostile-input')
    return outcome.violations.length > 0 ? 1 : 0
  },
}

const flooding: Command = {
  usage: `npm run faults -- floods [options]
Sends many long bodies of one key at once, and tells what each flood does to the memory of a server, its health check and the
answers to another organisation.
  --program BIN  the bin of another build (that of this one)
  --only TEXT    floods with this in their name (all)`,
  run: async (args) => {
    const { values } = parseArgs({
      args: [...args],
      options: { program: { type: 'string' }, only: { type: 'string', default: '' } },
    })
    let survived = true
    console.log(
      'flood | survived | seconds | livez median, worst ms | neighbour worst ms (answers) | MiB | statuses',
    )
    for (const [name, flood] of Object.entries(floods).filter(([each]) => each.includes(values.only)))
      await withFloodedServer(async (server) => {
        const o = await tryFlood(server, flood)
        survived &&= o.survived
        const livez = `${o.livezMedian.toFixed(0)}, ${o.livezWorst.toFixed(0)}`
        const neighbour = `${o.neighbourWorst.toFixed(0)} (${o.neighbourAnswers})`
        const figures = [o.seconds.toFixed(1), livez, neighbour, o.peakMemory.toFixed(0)]
        console.log([name, o.survived, ...figures, JSON.stringify(o.statuses)].join(' | '))
      }, values.program).catch((cause: unknown) => {
        survived = false
        console.log(name, String(cause))
      })
    return survived ? 0 : 1
  },
}

const nobodys: Named = { supplier: 'NOBODY', number: 'C-1', team: 'Nobodys tm', vendor: 'NOBODY' }

const mostDifference = 0.1

/** Pairs that are asked before any is counted. */
const warmUp = 20

/** How many things are answered faster or slower than they may be. */
const differingTimes = async (backend: string, url: string, pairs: number): Promise<number> => {
  const knex = connectSql(url)
  await migrate(knex)
  const { ask, close, giveToOther, tokenFor } = await twoOrganisations(createSqlPorts(knex))
  await giveToOther()
  const token = await tokenFor(scopes)
  let differing = 0
  for (const name of endpointNames)
    for (const part of requests[name].names) {
      const times = new Map<Named, number[]>([
        [theirs, []],
        [nobodys, []],
      ])
      for (let nth = 0; nth < pairs + warmUp; nth++)
        for (const from of nth % 2 === 0 ? [theirs, nobodys] : [nobodys, theirs]) {
          const begun = performance.now()
          await ask(name, { ...ours, [part]: from[part] }, token)
          times.get(from)?.push(performance.now() - begun)
        }
      const [other = NaN, none = NaN] = [...times.values()].map((all) => median(all.slice(warmUp)))
      const isWell = Math.abs(other / none - 1) <= mostDifference
      if (!isWell) differing += 1
      const medians = `other ${other.toFixed(2)} ms, missing ${none.toFixed(2)} ms`
      const verdict = `ratio ${(other / none).toFixed(3)} ${isWell ? 'ok' : 'BEYOND 10 %'}`
      console.log(`${backend} ${name} ${part}: ${medians}, ${verdict}`)
    }
  await close()
  await knex.destroy()
  return differing
}

const identity: Command = {
  usage: `npm run faults -- identity [PAIRS]
Asks in turns for what another organisation has and for what nobody has, at every endpoint, on ${databaseBackends.join(' and ')}, and
compares medians of time. For a quiet machine.
  PAIRS  of requests of each endpoint, 1 to 1000000 (400)`,
  run: async (args) => {
    const { positionals } = parseArgs({ args: [...args], allowPositionals: true, options: {} })
    const [pairs = 400, ...more] = positionals.map(Number)
    if (!isWithin(pairs, 1, 1e6) || more.length > 0) return wrongUsage(identity.usage)
    let differing = 0
    for (const backend of databaseBackends)
      differing += await onBackend[backend]((url) => differingTimes(backend, url, pairs))
    const loads = loadavg().map((load) => load.toFixed(1))
    console.log(`load average ${loads.join(' ')}`)
    return differing > 0 ? 1 : 0
  },
}

/** What hostile clients do to a server. */
export const hostileCommands: Readonly<Record<string, Command>> = { hostile, floods: flooding, identity }
