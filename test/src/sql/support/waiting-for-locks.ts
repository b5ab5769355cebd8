import { setTimeout } from 'node:timers/promises'
import { until } from '../../servers/index.js'
import { isPostgresql, type Opened } from './databases.js'

const onMysql =
  'SELECT COUNT(*) AS count FROM information_schema.innodb_trx AS t JOIN information_schema.processlist AS p ' +
  "ON p.id = t.trx_mysql_thread_id WHERE p.db = DATABASE() AND t.trx_state = 'LOCK WAIT'"

const onPostgresql =
  "SELECT COUNT(*) AS count FROM pg_stat_activity WHERE datname = CURRENT_DATABASE() AND wait_event_type = 'Lock'"

/** InnoDB repeats a result of its query for 100 ms. */
const untilShownAnew = 150

/** Resolves when this number of transactions on the database wait for locks of others. */
export const waitingForLocks = ({ knex }: Pick<Opened, 'knex'>, transactions: number): Promise<void> =>
  until(async () => {
    await setTimeout(untilShownAnew)
    const answer: unknown = await knex.raw(isPostgresql(knex) ? onPostgresql : onMysql)
    const [row] = isPostgresql(knex)
      ? (answer as { rows: { count: number }[] }).rows
      : (answer as [{ count: number }[]])[0]
    return Number(row?.count) === transactions
  }, `${transactions} transactions wait`)
