import type { AccountPayload } from '@account-import/core'
import { dateOf, firstDayOf, lastDayOf, monthText } from '../calendar.js'
import type { Contract } from '../supply/contract.js'

export type Statement = NonNullable<AccountPayload['statements']>[number]

/** One statement for each month of a contract; `number` is the account's and names the folder of its documents. */
export const statementsOf = ({ months, fuel, label }: Contract, number: string): readonly Statement[] =>
  months.map((month) => ({
    bill_period_from_date: dateOf(firstDayOf(month)),
    bill_period_to_date: dateOf(lastDayOf(month)),
    statement_path: `statements/${number}/${label}-${monthText(month)}.pdf`,
    statement_id: `${number}-${label}-F-${monthText(month)}`,
    supply_type: fuel,
  }))
