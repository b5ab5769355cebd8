import type { Opened } from './databases.js'

/** All rows that the server read for the connection, including those of this query. */
const rowsSoFar = async (knex: Opened['knex']): Promise<number> => {
  const [status] = await knex.raw("SHOW SESSION STATUS LIKE 'Handler_read%'")
  return (status as { Value: string }[]).reduce((sum, { Value }) => sum + Number(Value), 0)
}

/**
 * Does the work on the one connection, and returns the number of rows that the server read for it, by the server's own counters:
 * plans differ by server, and are estimates. The counters are not reset, as a reset affects all connections.
 */
export const rowsRead = async <A>(
  knex: Opened['knex'],
  work: () => Promise<A>,
): Promise<Readonly<{ result: A; rows: number }>> => {
  const before = await rowsSoFar(knex)
  const asked = await rowsSoFar(knex)
  const result = await work()
  return { result, rows: (await rowsSoFar(knex)) - asked - (asked - before) }
}
