import { bodyTemplates, stamped } from '../workload/bodies.js'
import { paths, type SingleVerb } from '../workload/verbs.js'
import { closedLoop } from './closed-loop.js'
import { openHttpConnection } from './http-connection.js'
import type { LoadJob, LoadResult } from './load-job.js'

const requestTemplate = (verb: SingleVerb, token: string, body: string): string =>
  [
    `POST ${paths[verb]} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Connection: keep-alive',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Authorization: Bearer ${token}`,
    '',
    body,
  ].join('\r\n')

/** Sends one account a request, on connections that are kept. */
export const sendSingle = async (job: LoadJob, verb: SingleVerb): Promise<LoadResult> => {
  const bodies = bodyTemplates(verb, job.payload)
  const requestFor = stamped(bodies.map((body) => requestTemplate(verb, job.token, body)))
  const connections = await Promise.all(
    Array.from({ length: job.clients }, () => openHttpConnection(job.port)),
  )
  try {
    return await closedLoop(job, 1, async (client, account) => {
      const connection = connections[client]
      if (connection === undefined) throw new Error(`There is no connection for client ${client}`)
      const { status, body } = await connection.exchange(requestFor(account))
      return { statuses: { [status]: 1 }, failure: status === 200 || status === 201 ? undefined : body }
    })
  } finally {
    for (const connection of connections) connection.close()
  }
}
