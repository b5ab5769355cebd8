import type { Opened } from './databases.js'

/** All rows that the connection has had the server look at, those for telling so among them. */
const rowsSoFar = async (knex: Opened['knex']): Promise<number> => {
  const [status] = await knex.raw("SHOW SESSION STATUS LIKE 'Handler_read%'")
  return (status as { Value: string }[]).reduce((sum, { Value }) => sum + Number(Value), 0)
}

/**
 * Does the work on the one connection there is, and tells how many rows the server looked at for it, by the server's own
 * counters: plans have another form on each server, and say what is expected, not what was done. The counters are not
 * set back, as that is done for all connections at once.
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
