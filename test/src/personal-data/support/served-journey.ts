import { readConfig, startServer, type RunningServer } from '@account-import/server'
import type { ExecutionContext } from 'ava'
import { randomUUID } from 'node:crypto'
import { rawApi } from '../../journeys/support/raw-api.js'
import { tokenOf } from '../../journeys/support/token-of.js'
import { cliInProcess } from '../../support/cli-in-process.js'
import type { CliEnvironment } from '../../support/cli-process.js'
import type { JsonObject } from '../../support/samples.js'
import type { PlantedAccount } from './planted-account.js'

/** A server with organisation ACME, supplier LEVANTE and a team, and a client with a token. */
export type Served = Readonly<{
  server: RunningServer
  environment: CliEnvironment
  apiKey: string
  /** With an idempotency key of its own unless one is named. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>
  get(path: string): Promise<Response>
}>

const succeeds = async (args: readonly string[], environment: CliEnvironment): Promise<string> => {
  const { code, stdout, stderr } = await cliInProcess(args, environment)
  if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
  return stdout
}

/** Serves in this process until the test ends. */
export const served = async (
  t: ExecutionContext,
  environment: CliEnvironment,
  options: Parameters<typeof startServer>[1] = {},
): Promise<Served> => {
  const whole = { PORT: '0', LOG_LEVEL: 'fatal', PAYMENT_VENDORS: 'SANDBOX', ...environment }
  await succeeds(['migrate'], whole)
  await succeeds(['organisation', 'create', 'ACME'], whole)
  await succeeds(['supplier', 'create', 'LEVANTE', '--organisation', 'ACME'], whole)
  await succeeds(['team', 'create', 'North'], whole)
  const made = await succeeds(['api-key', 'create', '--organisation', 'ACME', '--json'], whole)
  const config = readConfig(whole, 'serve')
  if (config._tag === 'Left') throw new Error('the configuration of the test is wrong')
  const server = await startServer(config.right, options)
  t.teardown(server.stop)
  const { api_key: apiKey } = JSON.parse(made) as { api_key: string }
  const token = await tokenOf(rawApi(server.address), apiKey)
  const Authorization = `Token ${token}`
  return {
    server,
    environment: whole,
    apiKey,
    post: (path, body, headers = {}) =>
      fetch(`${server.address}${path}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Authorization,
          'Idempotency-Key': randomUUID(),
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    get: (path) => fetch(`${server.address}${path}`, { headers: { Authorization } }),
  }
}

/** Validates, stages and creates an account, and adds to it all that can be added. */
export const createWhole = async (
  { post }: Served,
  { account, notes, statements, instruction, transactions }: PlantedAccount,
): Promise<readonly Response[]> => {
  const processing: JsonObject = {
    import_supplier_code: account['import_supplier'],
    external_account_number: account['external_account_number'],
    operations_team_name: 'North',
  }
  const requests: readonly (readonly [path: string, body: JsonObject])[] = [
    ['validate-account/', account],
    ['account-import-process/create-or-update/', account],
    ['account-import-process/process/', processing],
    ['notes/create/', notes],
    ['historical-statements/create/', statements],
    ['payment-instruction/create/', instruction],
    ['transactions/create/', transactions],
  ]
  const answers: Response[] = []
  for (const [path, body] of requests) answers.push(await post(`/v1/data-import/${path}`, body))
  return answers
}
