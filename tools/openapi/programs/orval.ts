// The schemas that orval generates for zod, around plain fetch: bodies are checked before they are sent, and read from responses.
import type { z } from 'zod'
import { journey, service } from './journey.js'
import { samples } from './orval.samples.js'
import * as schemas from './orval.generated.js'

export type Samples = Readonly<{
  accounts: readonly z.input<typeof schemas.stageAccountBody>[]
  notes: z.input<typeof schemas.addNotesBody>
  transactions: z.input<typeof schemas.addTransactionsBody>
  historicalStatements: z.input<typeof schemas.addHistoricalStatementsBody>
  paymentInstruction: z.input<typeof schemas.addPaymentInstructionBody>
}>

const send = async (path: string, authorization: string, body?: unknown): Promise<unknown> => {
  const response = await fetch(`${service.baseUrl}/v1/${path}/`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: authorization },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return response.json()
}

const login = await send('graphql', '', schemas.obtainTokenBody.parse(service.login))
const token = schemas.obtainToken200Response.parse(login).data?.obtainToken?.token
const call = (path: string, body?: unknown): Promise<unknown> =>
  send(`data-import/${path}`, `Token ${token}`, body)

await journey<Samples>(
  {
    validate: async (body) =>
      schemas.validateAccount200Response.parse(
        await call('validate-account', schemas.validateAccountBody.parse(body)),
      ),
    stage: async (body) =>
      schemas.stageAccount201Response.parse(
        await call('account-import-process/create-or-update', schemas.stageAccountBody.parse(body)),
      ),
    process: async (body) =>
      schemas.processAccount201Response.parse(
        await call('account-import-process/process', schemas.processAccountBody.parse(body)),
      ),
    status: async (supplier, account) =>
      schemas.transferStatus200Response.parse(await call(`account-transfer-status/${supplier}/${account}`)),
    addNotes: async (body) =>
      schemas.addNotes201Response.parse(await call('notes/create', schemas.addNotesBody.parse(body))),
    addTransactions: async (body) =>
      schemas.addTransactions201Response.parse(
        await call('transactions/create', schemas.addTransactionsBody.parse(body)),
      ),
    addHistoricalStatements: async (body) =>
      schemas.addHistoricalStatements201Response.parse(
        await call('historical-statements/create', schemas.addHistoricalStatementsBody.parse(body)),
      ),
    addPaymentInstruction: async (body) =>
      schemas.addPaymentInstruction201Response.parse(
        await call('payment-instruction/create', schemas.addPaymentInstructionBody.parse(body)),
      ),
  },
  samples,
)
