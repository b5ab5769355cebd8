import { historicalStatementsRequest } from '@account-import/core'
import { noParams } from '../address-params.js'
import { endpoint } from '../endpoint.js'
import { echoedStatements } from '../responses/echoed-statements.js'

export const addHistoricalStatements = endpoint({
  name: 'add-historical-statements',
  summary: 'Adds bills from before the migration to a created account: all of the request, or none.',
  method: 'POST',
  path: '/v1/data-import/historical-statements/create/',
  scope: 'post-import',
  params: noParams,
  query: noParams,
  body: historicalStatementsRequest,
  statuses: [201],
  success: echoedStatements,
})
