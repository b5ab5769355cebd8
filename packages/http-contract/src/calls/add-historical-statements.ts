import * as t from 'io-ts'
import { call } from '../call.js'

const echoedStatement = t.intersection(
  [
    t.type({ bill_period_from_date: t.string, bill_period_to_date: t.string, statement_id: t.string }),
    t.partial({
      issued_date: t.string,
      number: t.string,
      gross_amount: t.union([t.number, t.string]),
      statement_path: t.string,
    }),
  ],
  'EchoedStatement',
)

/** The request as accepted: the fields that were sent and are known, amounts as they were sent. */
const echoedStatements = t.type(
  {
    import_supplier: t.string,
    external_account_number: t.string,
    statements: t.readonlyArray(echoedStatement),
  },
  'EchoedStatements',
)
export type EchoedStatements = t.TypeOf<typeof echoedStatements>

export const addHistoricalStatementsCall = call({
  method: 'POST',
  path: '/v1/data-import/historical-statements/create/',
  scope: 'post-import',
  statuses: [201],
  success: echoedStatements,
})
