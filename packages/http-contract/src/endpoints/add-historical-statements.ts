import { historicalStatementsRequest } from '@account-import/core/adapter-kit'
import { noParams } from '../address-params.js'
import type { Answer } from '../call.js'
import { addHistoricalStatementsCall, type EchoedStatements } from '../calls/add-historical-statements.js'
import { endpoint } from '../endpoint.js'
import { type Done, refusalsOf } from '../use-case.js'
import { warningHeaders } from '../warning-headers.js'
import { additionRefusals } from './addition-refusals.js'

export const addHistoricalStatements = endpoint({
  ...addHistoricalStatementsCall,
  summary: 'Adds bills from before the migration to a created account: all of the request, or none.',
  params: noParams,
  query: noParams,
  body: historicalStatementsRequest,
  refusals: refusalsOf<'addHistoricalStatements'>(additionRefusals),
  answer: ({ request, warnings }: Done<'addHistoricalStatements'>): Answer<EchoedStatements, 201> => ({
    status: 201,
    headers: warningHeaders(warnings),
    body: request,
  }),
})
