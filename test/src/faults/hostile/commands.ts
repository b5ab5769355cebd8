import { connectSql, createSqlPorts, migrate } from '@account-import/adapter-sql'
import { scopes } from '@account-import/core'
import { loadavg } from 'node:os'
import { machineText, markdownTable, saveTable } from '../report/figures.js'
import { median } from '../../support/median.js'
import { databaseBackends, onBackend } from '../../support/on-backend.js'
import { command } from '../options.js'
import { floods, tryFlood, withFloodedServer } from './floods.js'
import { endpointNames, ours, requests, theirs, twoOrganisations, type Named } from './identity.js'
import { randomRun, type Outcome } from './run.js'
import { served } from './service/service.js'

/** The result of a run, in one line. */
export const summaryOf = ({ requests, answers, codes, violations }: Outcome, milliseconds: number): string =>
  `${requests} requests in ${Math.round(milliseconds / 1000)} s, ${answers.size} pairs of endpoint and status, ` +
  `${codes.size} codes, ${violations.length} violations`

/** Endpoints and the statuses of their responses, as a table. */
const tableOf = ({ answers }: Outcome): string => {
  const found = new Map<string, Readonly<{ status: number; count: number }>[]>()
  for (const [key, count] of answers) {
    const at = key.lastIndexOf(' ')
    const [endpoint, status] = [key.slice(0, at), Number(key.slice(at + 1))]
    found.set(endpoint, [...(found.get(endpoint) ?? []), { status, count }])
  }
  const rows = [...found].map(([endpoint, all]) => {
    const statuses = all.map(({ status }) => status).toSorted((a, b) => a - b)
    // No response is right where damaged packed bytes cut the stream of lines.
    const shown = statuses.map((status) => (status === 0 ? 'cut' : String(status))).join(', ')
    return [endpoint, String(all.reduce((sum, { count }) => sum + count, 0)), shown] as const
  })
  const sorted = rows.toSorted(([left], [right]) => left.localeCompare(right, 'en'))
  return markdownTable([['endpoint', 'requests', 'statuses'], ...sorted], 1)
}

const shownViolations = 20

const hostile = command(
  `hostile [--requests N] [--seed S] [--from N] [--lanes N] [--on mariadb|sqlite] [--save]
  sends random requests (20000), made from the OpenAPI document, to a server of its own, and holds every answer to the document: no
  5xx because of what was sent, no crash, no undeclared status, header, content type or body, no value that was sent in a refusal
  or the log; --from is the first sequence, which --lanes 1 and --requests 40 repeat alone; at most 6 (6) lanes are under way at once`,
  { texts: ['requests', 'seed', 'from', 'lanes', 'on'], flags: ['save'] },
  async (given) => {
    const seed = given.count('seed', Date.now() % 1_000_000_000, 2 ** 31, 0)
    const requests = given.count('requests', 20_000, 100_000_000)
    const options = {
      seed,
      requests,
      from: given.count('from', 0, 2 ** 31, 0),
      lanes: given.count('lanes', 6, 6),
    }
    const backend = given.word('on', ['sqlite', 'mariadb'])
    console.log(`seed ${seed}, on ${backend}`)
    const began = performance.now()
    const outcome = await onBackend[backend](async (url) => randomRun(await served(url), options))
    const [table, summary] = [tableOf(outcome), summaryOf(outcome, performance.now() - began)]
    console.log(`${table}\n\n${summary}`)
    for (const { sequence, request, answer, faults } of outcome.violations.slice(0, shownViolations))
      console.error(`\nsequence ${sequence}: ${faults.join('; ')}\n  ${request}\n  ${answer}`)
    const what = machineText(`${backend}, seed ${seed}`)
    if (given.isGiven('save')) saveTable('requests', `${what}: ${summary}.`, 'hostile-input')
    return outcome.violations.length === 0
  },
)

const flooding = command(
  `floods [--only TEXT]
  sends many long bodies of one key at once, all or those with this in their name, and tells what each flood does to the memory of a
  server, its health check and the answers to another organisation`,
  { texts: ['only'] },
  async (given) => {
    let survived = true
    console.log(
      'flood | survived | seconds | livez median, worst ms | neighbour worst ms (answers) | MiB | statuses',
    )
    for (const [name, flood] of Object.entries(floods).filter(([each]) =>
      each.includes(given.text('only')),
    )) {
      const o = await withFloodedServer((server) => tryFlood(server, flood))
      survived &&= o.survived
      const livez = `${o.livezMedian.toFixed(0)}, ${o.livezWorst.toFixed(0)}`
      const neighbour = `${o.neighbourWorst.toFixed(0)} (${o.neighbourAnswers})`
      const figures = [o.seconds.toFixed(1), livez, neighbour, o.peakMemory.toFixed(0)]
      console.log([name, o.survived, ...figures, JSON.stringify(o.statuses)].join(' | '))
    }
    return survived
  },
)

const nobodys: Named = {
  supplier: 'NOBODY',
  number: 'C-1',
  team: 'Nobodys tm',
  vendor: 'NOBODY',
  run: 'NOBODYRN',
}

const mostDifference = 0.1

/** Pairs that are sent before the first one is counted. */
const warmUp = 20

/** The number of requests with a response faster or slower than allowed. */
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

const identity = command(
  `identity [--pairs N]
  asks in turns, N times (400), for what another organisation has and for what nobody has, at every endpoint, on each database, and
  compares medians of time; for a quiet machine`,
  { texts: ['pairs'] },
  async (given) => {
    const pairs = given.count('pairs', 400)
    let differing = 0
    for (const backend of databaseBackends)
      differing += await onBackend[backend]((url) => differingTimes(backend, url, pairs))
    console.log(
      `load average ${loadavg()
        .map((load) => load.toFixed(1))
        .join(' ')}`,
    )
    return differing === 0
  },
)

/** The attacks of hostile clients on a server. */
export const hostileCommands = { hostile, floods: flooding, identity }
