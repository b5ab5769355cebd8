import { createClient } from '@account-import/client'
import { instantOf, type Instant } from '@account-import/core'
import { emptyAdditionTally } from '../../crash/additions/addition-traffic.js'
import { emptyTally } from '../../crash/tally.js'
import { verify } from '../../crash/verify.js'
import { startServerProcess } from '../../support/server-process.js'
import { openSharedDatabase } from '../../support/shared-database.js'
import { successOf } from '../../support/results.js'
import type { Sending } from './requests.js'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js'

export type Wired = Sending & Readonly<{ proxy: TcpProxy; begun: Instant }>

/** Where the proxy stands: between server and database, or between client and server. */
export type Place = 'database' | 'client'

/** A proxy before an address, and the address through it. */
const proxyTo = async (
  address: string,
  delay: number,
): Promise<Readonly<{ proxy: TcpProxy; address: string }>> => {
  const there = new URL(address)
  const proxy = await startTcpProxy(Number(there.port), { delay })
  there.port = String(proxy.port)
  return { proxy, address: there.href.replace(/\/$/, '') }
}

/**
 * A server on an empty database, and a client of it that has its token, with a proxy in one of the two connections. All of it
 * ends with the work.
 */
export const onWire = async <A>(
  url: string,
  place: Place,
  work: (sending: Wired) => Promise<A>,
  { delay = 0 } = {},
): Promise<A> => {
  const begun = instantOf(Date.now() - 1000)
  const endings: (() => Promise<unknown>)[] = []
  try {
    const database = await openSharedDatabase(url, { PROCESSING_CLAIM_SECONDS: '1' })
    endings.push(() => database.close())
    const before = place === 'database' ? await proxyTo(url, delay) : undefined
    if (before !== undefined) endings.push(() => before.proxy.stop())
    const server = await startServerProcess({
      ...database.environment,
      ...(before === undefined ? {} : { DATABASE_URL: before.address }),
    })
    endings.push(() => server.stop())
    const wired = before ?? (await proxyTo(server.address, delay))
    if (before === undefined) endings.push(() => wired.proxy.stop())
    const baseUrl = before === undefined ? wired.address : server.address
    const client = createClient({ baseUrl, apiKey: database.apiKey })
    await client.transferStatus(database.supplier, 'none')
    const known = { numbers: [], tally: emptyTally(), additions: emptyAdditionTally() }
    const counts = { requests: 0, acknowledged: 0 }
    return await work({ database, client, proxy: wired.proxy, begun, counts, ...known })
  } finally {
    for (const end of endings.toReversed()) await end()
  }
}

/** Creates every account that is still staged, and then finds everything that is wrong with any account. */
export const verified = async (sending: Wired): Promise<readonly string[]> => {
  const { database, client, tally, numbers, begun } = sending
  const staged = successOf(
    await client.listAccountImports({ importSupplier: database.supplier, list: 'pending' }),
  ).body
  const results = client.bulkProcess({
    import_supplier_code: database.supplier,
    operations_team_name: database.team,
  })
  for await (const result of results)
    if (result.outcome === 'done')
      tally.acknowledged.set(result.externalAccountNumber, result.platformAccountNumber ?? '')
    else tally.unexpected.push(`${staged.length} staged accounts: ${JSON.stringify(result)}`)
  return verify(database, client, tally, numbers, begun)
}
