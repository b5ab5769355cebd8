import type { Opened } from './databases.js'

/** The statements that a process sends while it does this, by their first words. */
export const statementsOf = async (
  { knex }: Opened,
  work: () => Promise<unknown>,
): Promise<readonly string[]> => {
  const sent: string[] = []
  const listen = ({ sql }: Readonly<{ sql: string }>): void => void sent.push(/^\w+/.exec(sql)?.[0] ?? '')
  knex.on('query', listen)
  await work()
  knex.removeListener('query', listen)
  return sent
}
