import { connectSql, createSqlPorts, migrate } from '@account-import/adapter-sql'
import { paymentVendors, sandboxVendor } from '@account-import/adapter-payment-vendor'
import { makeUseCases, type PortFailure, type StorePorts } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import type { TaskEither } from '@account-import/core/adapter-kit'
import type { ExecutionContext } from 'ava'
import type { Galera, GaleraNode } from '../../servers/index.js'

type Knex = ReturnType<typeof connectSql>

/** One server of ours on one node. */
export type Opened = Readonly<{ node: GaleraNode; knex: Knex; ports: StorePorts }>

export type OpenedNodes = readonly [Opened, Opened, Opened]

/** A new database, and a server of ours on each of the three nodes; closed when the test ends. */
export const openedNodes = async (t: ExecutionContext, galera: Galera): Promise<OpenedNodes> => {
  const database = await galera.createDatabase()
  const [first, second, third] = galera.nodes.map((node): Opened => {
    const knex = connectSql(node.url(database))
    t.teardown(() => knex.destroy())
    return { node, knex, ports: createSqlPorts(knex) }
  })
  if (first === undefined || second === undefined || third === undefined) throw new Error('there are three')
  return [first, second, third]
}

export const migratedNodes = async (t: ExecutionContext, galera: Galera): Promise<OpenedNodes> => {
  const all = await openedNodes(t, galera)
  await migrate(all[0].knex)
  return all
}

/** The service on one node, with a payment vendor. */
export const useCasesOn = ({ ports }: Opened) =>
  makeUseCases(inMemoryPorts({ ...ports, paymentVendors: paymentVendors([sandboxVendor()]) }))

/** `done`, or what it failed with. */
export const outcome = async (call: TaskEither<unknown, unknown>): Promise<string> => {
  const result = await call()
  if (result._tag === 'Right') return 'done'
  const { _tag, kind, cause } = result.left as PortFailure
  return `${_tag} ${kind} ${String(cause)}`
}
