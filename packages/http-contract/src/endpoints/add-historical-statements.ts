import { historicalStatementsRequest } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { noParams } from '../address-params.js'
import type { Answer } from '../answer.js'
import { endpoint } from '../endpoint.js'
import { refusalsOf, type Done } from '../use-case.js'
import { warningHeaders } from '../warning-headers.js'
import { additionRefusals } from './addition-refusals.js'

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

export const addHistoricalStatements = endpoint({
  summary: 'Adds bills from before the migration to a created account: all of the request, or none.',
  method: 'POST',
  path: '/v1/data-import/historical-statements/create/',
  scope: 'post-import',
  params: noParams,
  query: noParams,
  body: historicalStatementsRequest,
  statuses: [201],
  success: echoedStatements,
  refusals: refusalsOf<'addHistoricalStatements'>(additionRefusals),
  answer: ({ request, warnings }: Done<'addHistoricalStatements'>): Answer<EchoedStatements, 201> => ({
    status: 201,
    headers: warningHeaders(warnings),
    body: request,
  }),
})
