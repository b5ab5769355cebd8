import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hostileBodies, measureBody, type Measured } from '@account-import/test/hostile'
import { markdownTable } from '@account-import/test/performance'
import { startOurs } from './servers.js'
import type { Blocking } from './watch-loop.js'
import { paths } from './workload/kinds.js'

/** The bundled server on SQLite, whose event loop tells how long it was kept busy. */
type WatchedServer = Awaited<ReturnType<typeof startOurs>>

type HostileCase = Readonly<{ name: string; status: number }> & Measured & Blocking

const blockingOf = async ({ child }: WatchedServer): Promise<Blocking> => {
  child.send('blocking')
  const [blocking] = (await once(child, 'message')) as [Blocking]
  return blocking
}

/** Milliseconds to wait after an answer, until what it left (such as garbage) has been collected. */
const afterwards = 20

const postBody = async (server: WatchedServer, body: string) => {
  await blockingOf(server)
  const response = await fetch(`http://127.0.0.1:${server.port}${paths.validate}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Token ${server.token}` },
    body,
  })
  await response.arrayBuffer()
  await sleep(afterwards)
  return { status: response.status, ...(await blockingOf(server)) }
}

const heads = ['hostile body', 'MB', 'parse ms', 'first ms', 'best ms', 'status', 'busy ms', 'delay ms']

const cells = ({ name, bytes, parse, first, best, status, busy, delay }: HostileCase): readonly string[] => [
  name,
  (bytes / 1_000_000).toFixed(1),
  ...[parse, first, best, status, busy, delay].map((figure) => figure.toFixed(0)),
]

/** The table of this section, the worst first. */
const hostileText = (cases: readonly HostileCase[]): string =>
  [
    markdownTable([heads, ...cases.toSorted((left, right) => right.first - left.first).map(cells)], 1),
    '',
    'parse: JSON.parse of the body. first and best: validating what was parsed, when nothing is warm and in the best round.',
    'busy: all that a server does for the body, from its bytes to those of the answer. These are time of the processor',
    'on the event loop. delay: the longest that the server could do nothing else, by the clock, other processes included.',
  ].join('\n')

/** Validates each hostile body so many times, sends it to a server once, and prints what was found. */
export const runHostile = async ({ rounds, json }: Readonly<{ rounds: number; json: boolean }>) => {
  console.error(`hostile bodies: ${Object.keys(hostileBodies).length}`)
  const folder = await mkdtemp(join(tmpdir(), 'account-import-hostile-'))
  try {
    const watch = new URL('./watch-loop.js', import.meta.url)
    const server = await startOurs({ folder, databaseUrl: '', watch })
    try {
      const cases: HostileCase[] = []
      for (const [name, make] of Object.entries(hostileBodies)) {
        const body = make()
        const posted = await postBody(server, body)
        cases.push({ name, ...measureBody(body, rounds), ...posted })
      }
      console.log(json ? JSON.stringify({ hostile: cases }) : hostileText(cases))
    } finally {
      await server.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
