import { setTimeout } from 'node:timers/promises'
import { until } from '../../servers/index.js'
import type { Opened } from './databases.js'

/** InnoDB repeats a result of this query for 100 ms. */
const untilShownAnew = 150

/** Resolves when this number of transactions on the database wait for locks of others. */
export const waitingForLocks = ({ knex }: Pick<Opened, 'knex'>, transactions: number): Promise<void> =>
  until(async () => {
    await setTimeout(untilShownAnew)
    const [rows] = (await knex.raw(
      'SELECT COUNT(*) AS count FROM information_schema.innodb_trx AS t JOIN information_schema.processlist AS p ' +
        "ON p.id = t.trx_mysql_thread_id WHERE p.db = DATABASE() AND t.trx_state = 'LOCK WAIT'",
    )) as [{ count: number }[]]
    return Number(rows[0]?.count) === transactions
  }, `${transactions} transactions wait`)
