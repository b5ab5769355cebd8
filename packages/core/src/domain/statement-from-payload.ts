import type { HistoricalStatementsRequest } from '../payloads/historical-statements-request.js'
import { toMoney } from '../values/decimal.js'
import type { AccountStatement } from './account-details.js'

/** A historical statement as it is kept. */
export const statementFromPayload = ({
  gross_amount,
  ...rest
}: HistoricalStatementsRequest['statements'][number]): AccountStatement => ({
  ...rest,
  ...(gross_amount !== undefined && { gross_amount: toMoney(gross_amount) }),
})
