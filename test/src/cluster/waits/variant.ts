import { connectSql, createSqlPorts } from '@account-import/adapter-sql'
import { makeUseCases } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import type { Connection } from 'mysql2'
import { answer } from '../../support/answers.js'
import { gasAccount } from '../../support/samples.js'
import { setUp } from '../../support/set-up.js'

/** The service on one node, without HTTP before it. */
export type Variant = Readonly<{
  /** One SELECT by its key. */
  read(): Promise<unknown>
  /** Stages a new account. */
  stage(): Promise<unknown>
  close(): Promise<void>
}>

/** What is used of a Knex client: its published type has no shape. */
type Client = { acquireRawConnection(): Promise<Connection> }

/** Sets each new connection once more, after the service has set it. */
const setConnections = (client: Client, sql: string): void => {
  const acquire = client.acquireRawConnection.bind(client)
  client.acquireRawConnection = async () => {
    const connection = await acquire()
    await connection.promise().query(sql)
    return connection
  }
}

/** As the service is, or with `set` on each of its connections. */
export const openVariant = async (url: string, set?: string): Promise<Variant> => {
  const knex = connectSql(url)
  if (set !== undefined) setConnections(knex.client as Client, set)
  const ports = inMemoryPorts(createSqlPorts(knex))
  const useCases = makeUseCases(ports)
  const { organisation, supplier } = await setUp(useCases.operator)
  let count = 0
  return {
    read: () => answer(ports.importSuppliers.findByCode(supplier)),
    stage: () =>
      answer(useCases.stageAccount({ organisation, payload: gasAccount(supplier, `A-${(count += 1)}`) })),
    close: () => knex.destroy(),
  }
}
