import test, { type ExecutionContext } from 'ava'
import type { StartedServers } from '../../support/started-servers.js'
import type { RequestKind } from '../loads/requests.js'
import type { Place } from '../world/world.js'
import { cutRun, silenceRun } from './wire.js'

export const isWell = (
  t: ExecutionContext,
  { faults, figures }: Awaited<ReturnType<typeof cutRun>>,
): void => {
  t.log(JSON.stringify(figures))
  t.deepEqual(faults, [])
  t.true(figures.happened > figures.cuts / 2, 'most cuts came too late to hit the request')
}

const titles: Readonly<Record<Place, string>> = {
  database: 'connections to the database that are cut at any byte',
  client: 'connections of clients that are cut at any byte',
}

/** Tests of cut connections on each server, with so many cuts of each kind of request. */
export const cutTests = (
  { names, server }: StartedServers,
  cuts: readonly (readonly [Place, RequestKind, number])[],
): void => {
  for (const name of names)
    for (const [place, kind, most] of cuts)
      test.serial(
        `${titles[place]} of ${kind}: the request is done or repeated, nothing twice or half-written (${name})`,
        async (t) => {
          isWell(t, await cutRun(await server(name).createDatabase(), place, kind, most))
        },
      )
}

/** Tests of a database that goes silent with every connection open. */
export const silenceTests = (
  { names, server }: StartedServers,
  silences: readonly (readonly ['staging' | 'processing', 'there' | 'back'])[],
): void => {
  for (const name of names)
    for (const [kind, way] of silences)
      test(`a database that goes silent ${way === 'there' ? 'before the request' : 'before the response'} of all of ${kind} gives a retry in time, and the repeat is done once (${name})`, async (t) => {
        const { row, faults } = await silenceRun(await server(name).createDatabase(), kind, way)
        t.log(JSON.stringify(row))
        t.deepEqual(faults, [])
        t.true(row.injected >= 1, `${row.injected} requests met the silence`)
      })
}
