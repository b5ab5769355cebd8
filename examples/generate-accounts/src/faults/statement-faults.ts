import { shifted } from './agreement-faults.js'
import { at, pathsOf, set, textAt } from './json.js'
import { choose, dropped, found, replaced, type Fault } from './fault.js'

const zone = 'statements'
const statement = 'statements.*'

/** Faults in statements. */
export const statementFaults: readonly Fault[] = [
  found(zone, 'duplicate_statement_ids', (account, random) => {
    const path = choose(account, random, 'statements.1.statement_id')
    if (path !== undefined) set(account, path, at(account, 'statements.0.statement_id') ?? null)
    return path
  }),
  found(zone, 'periods_share_days', (account) => {
    const starts = pathsOf(account, `${statement}.bill_period_from_date`)
    if (starts.length < 6) return undefined
    // As in the bills of the access: each period begins on the last day of the one before.
    for (const path of starts) set(account, path, shifted(textAt(account, path), -1))
    return 'statements'
  }),
  replaced(
    zone,
    `${statement}.bill_period_to_date`,
    '2999-12-31',
    'historical_statement_period_end_in_future',
  ),
  replaced(zone, `${statement}.bill_period_to_date`, '2001-01-01', 'start_date_later_than_end_date'),
  replaced(zone, `${statement}.statement_path`, '/facturas/1.pdf', 'document_path_outside_root'),
  replaced(zone, `${statement}.statement_path`, '%2e%2e/1.pdf', 'document_path_outside_root'),
  replaced(zone, `${statement}.statement_id`, 's'.repeat(256), 'max_length'),
  dropped(zone, `${statement}.bill_period_from_date`),
  replaced(zone, statement, null, 'null'),
]
