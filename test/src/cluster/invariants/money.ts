import type { SharedDatabase } from '../../support/shared-database.js'

type Sum = Readonly<{ platform_account_number: string; count: number; cents: number }>

/** In cents; every transaction that the load adds is of 1.50. */
const each = 150

/**
 * What was added to the accounts is what they hold: each ledger has what it was created with and 1.50 for each
 * transaction more. `untouched` is an account like the others that nothing was added to.
 */
export const checkMoney = async (
  { knex, organisation }: SharedDatabase,
  untouched: string,
): Promise<readonly string[]> => {
  const sums = (await knex('transactions')
    .where({ organisation, period: 'current' })
    .groupBy('platform_account_number')
    .select('platform_account_number')
    .count({ count: '*' })
    // Each for itself: SQLite adds up doubles.
    .select(knex.raw('SUM(CAST(ROUND(amount * 100) AS SIGNED)) AS cents'))) as unknown as readonly Sum[]
  const of = new Map(sums.map((sum) => [sum.platform_account_number, sum]))
  const base = of.get(untouched) ?? { count: 0, cents: 0 }
  return sums.flatMap(({ platform_account_number: platform, count, cents }) => {
    const expected = Number(base.cents) + (Number(count) - Number(base.count)) * each
    return Number(cents) === expected ? [] : [`${platform} holds ${cents} cents, not ${expected}`]
  })
}
