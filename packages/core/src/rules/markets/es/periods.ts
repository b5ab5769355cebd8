import type { TypeOf } from 'io-ts'
import { FAILED } from '../../../codec/codec.js'
import type { ledger } from '../../../payloads/ledger.js'
import { below, isRead, itemsOf, type Readable, type ReadAccount, type RuleFindings } from '../../rule.js'
import type { MarketRule } from '../market-pack.js'
import type { EsCode } from './codes.js'

/** First and last days, as texts. */
type Periods = { starts: string[]; ends: Set<string> }

/** Periods by what must not be billed twice: a supply type, or a rate band of a ledger. */
type Groups = Map<string, Periods>

const addTo = (groups: Groups, name: string, start: unknown, end: unknown): void => {
  // A period of one day ends on its own first day.
  if (typeof start !== 'string' || typeof end !== 'string' || start >= end) return
  const group = groups.get(name)
  if (group === undefined) groups.set(name, { starts: [start], ends: new Set([end]) })
  else {
    group.starts.push(start)
    group.ends.add(end)
  }
}

/** Whether more than half of the periods of a group, and at least two, begin on the last day of another. */
const shareDays = (groups: Groups): boolean => {
  for (const { starts, ends } of groups.values()) {
    let shared = 0
    for (const start of starts) if (ends.has(start)) shared += 1
    if (shared >= 2 && shared * 2 > starts.length) return true
  }
  return false
}

const statementsShareDays = ({ statements }: ReadAccount): boolean => {
  const groups: Groups = new Map()
  for (const each of itemsOf(statements))
    if (each !== FAILED)
      addTo(groups, String(each.supply_type), each.bill_period_from_date, each.bill_period_to_date)
  return shareDays(groups)
}

type Ledger = Readable<TypeOf<typeof ledger>>

const addItems = (groups: Groups, transactions: Ledger['current_statement_transactions']): void => {
  for (const transaction of itemsOf(transactions))
    if (transaction !== FAILED)
      for (const item of itemsOf(transaction.line_items))
        if (item !== FAILED && isRead(item.rate_band))
          addTo(groups, item.rate_band, item.start_date, item.end_date)
}

const lineItemsShareDays = (of: Ledger): boolean => {
  const groups: Groups = new Map()
  addItems(groups, of.historical_statement_transactions)
  addItems(groups, of.current_statement_transactions)
  return shareDays(groups)
}

/** Periods of statements, and of the line items of a ledger, do not mostly begin on the last day of the period before. */
export const periodRule: MarketRule<EsCode> = (account, findings) => {
  if (statementsShareDays(account)) findings.add('periods_share_days', undefined, 'statements')
  for (const [index, each] of itemsOf(account.ledgers).entries())
    if (each !== FAILED && lineItemsShareDays(each))
      findings.add('periods_share_days', below(below(undefined, 'ledgers'), index))
}

/** From this day on, an end stands for none in exports: 2999-12-31, 3000-01-01, 9999-12-31. */
const noEnd = '2900-01-01'

const reportNoEnd = (
  end: unknown,
  findings: RuleFindings<EsCode>,
  field: string,
  ...path: (string | number)[]
) => {
  if (typeof end !== 'string' || end < noEnd) return
  findings.add(
    'end_date_means_no_end',
    path.reduce<ReturnType<typeof below> | undefined>(below, undefined),
    field,
  )
}

/** Ends of agreements and payment schedules are days on which something ends. */
export const endRule: MarketRule<EsCode> = ({ supply_addresses, payment_schedules }, findings) => {
  for (const [index, entry] of itemsOf(supply_addresses).entries())
    for (const [nth, point] of (entry === FAILED ? [] : itemsOf(entry.supply_points)).entries())
      for (const [place, agreement] of (point === FAILED ? [] : itemsOf(point.agreements)).entries())
        if (isRead(agreement))
          reportNoEnd(
            agreement.effective_to,
            findings,
            'effective_to',
            'supply_addresses',
            index,
            'supply_points',
            nth,
            'agreements',
            place,
          )
  for (const [index, schedule] of itemsOf(payment_schedules).entries())
    if (isRead(schedule)) reportNoEnd(schedule.end_date, findings, 'end_date', 'payment_schedules', index)
}
