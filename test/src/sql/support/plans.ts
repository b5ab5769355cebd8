import type { StorePorts } from '@account-import/core'
import type { Either } from '@account-import/core/fp'
import { answer } from '../../support/answers.js'
import type { Opened } from './databases.js'
import { rowsRead } from './rows-read.js'
import { sentBy, type Sent } from './statements-of.js'

export type Read = (ports: StorePorts) => Promise<Either<unknown, readonly unknown[]>>

/** The statements of a read, and its result. */
export const asked = async <A>(opened: Opened, read: (ports: StorePorts) => Promise<Either<unknown, A>>) => {
  const answers: A[] = []
  const sent = await sentBy(opened, async () => answers.push(await answer(read(opened.ports))))
  return { sent, answered: answers[0] as A }
}

/** The plan of MariaDB for a statement, a row for each table. */
export const plansOf = async ({ knex }: Opened, { sql, bindings = [] }: Sent) => {
  const [plan] = await knex.raw(`EXPLAIN ${sql}`, [...bindings])
  return plan as readonly Readonly<{ table: string; key: string; Extra: string | null; rows: number }>[]
}

/** The plan of SQLite for it. */
export const planOnSqlite = async ({ knex }: Opened, { sql, bindings = [] }: Sent): Promise<string> => {
  const plan = (await knex.raw(`EXPLAIN QUERY PLAN ${sql}`, [...bindings])) as { detail: string }[]
  return plan.map(({ detail }) => detail).join('; ')
}

/** How many rows the server touched for a page of a hundred. */
export const rowsOfPage = async ({ knex, ports }: Opened, read: Read): Promise<number> => {
  const { result: items, rows } = await rowsRead(knex, () => answer(read(ports)))
  return items.length === 100 ? rows : Number.NaN
}

export const inPieces = async (
  count: number,
  insert: (indices: readonly number[]) => Promise<void>,
): Promise<void> => {
  for (let start = 0; start < count; start += 500)
    await insert(Array.from({ length: 500 }, (_, offset) => start + offset))
}

type PlanNode = Readonly<Record<string, number | string>> & Readonly<{ Plans?: readonly PlanNode[] }>

const nodesOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

const countIn = (node: PlanNode, name: string): number => Number(node[name] ?? 0)

/** How many rows PostgreSQL reads for a SELECT. */
export const rowsOnPostgresql = async ({ knex }: Opened, { sql, bindings = [] }: Sent): Promise<number> => {
  type Driver = Readonly<{
    query(sql: string, values: readonly string[]): Promise<Readonly<{ rows: readonly unknown[] }>>
  }>
  const driver = (await knex.client.acquireConnection()) as Driver
  try {
    const { rows } = await driver.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, [...bindings])
    const [explained] = rows as [Readonly<{ 'QUERY PLAN': readonly [Readonly<{ Plan: PlanNode }>] }>]
    const scans = nodesOf(explained['QUERY PLAN'][0].Plan).filter(
      (node) => node['Relation Name'] !== undefined,
    )
    const read = ['Actual Rows', 'Rows Removed by Filter', 'Rows Removed by Index Recheck']
    return scans.reduce((sum, node) => {
      const each = read.reduce((all, name) => all + countIn(node, name), 0)
      return sum + each * countIn(node, 'Actual Loops')
    }, 0)
  } finally {
    await knex.client.releaseConnection(driver)
  }
}
