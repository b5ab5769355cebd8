import { setTimeout as sleep } from 'node:timers/promises'
import type { Blocking } from './blocking.js'
import type { WatchedServer } from './watched-server.js'

/** How a server answers a body, and what that takes of its event loop. */
export type Posted = Readonly<{ status: number }> & Blocking

/** Milliseconds to wait after an answer, until what it left (such as garbage) has been collected. */
const afterwards = 20

/** Has the account validated, and waits for the whole answer. */
export const postBody = async (server: WatchedServer, body: string): Promise<Posted> => {
  await server.blocking()
  const response = await fetch(`${server.address}/v1/data-import/validate-account/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Token ${server.token}` },
    body,
  })
  await response.arrayBuffer()
  await sleep(afterwards)
  return { status: response.status, ...(await server.blocking()) }
}
