import type { Opened } from './databases.js'

/** A statement that is sent to the database, also BEGIN and COMMIT. */
export type Sent = Readonly<{ sql: string; bindings?: readonly string[] }>

/** The statements that a process sends while it does this. */
export const sentBy = async (
  { knex }: Pick<Opened, 'knex'>,
  work: () => Promise<unknown>,
): Promise<readonly Sent[]> => {
  const sent: Sent[] = []
  const listen = (query: Sent): void => void sent.push(query)
  knex.on('query', listen)
  await work()
  knex.removeListener('query', listen)
  return sent
}

/** The first word of a statement. */
export const firstWord = ({ sql }: Sent): string => /^\w+/.exec(sql)?.[0] ?? ''

/** The first words of these statements. */
export const statementsOf = async (
  opened: Pick<Opened, 'knex'>,
  work: () => Promise<unknown>,
): Promise<readonly string[]> => (await sentBy(opened, work)).map(firstWord)
