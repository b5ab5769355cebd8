import { createApp, type LogEntry } from '@account-import/adapter-http-koa'
import { paymentVendors, sandboxVendor } from '@account-import/adapter-payment-vendor'
import { listen } from '@account-import/adapter-http-koa/testing'
import { createClient, type Client } from '@account-import/client'
import type { AccountKey, OperatorUseCases, Ports, StorePorts } from '@account-import/core'
import { makeUseCases } from '@account-import/core/fp'
import { inMemoryFailedAttempts, inMemoryPorts, inMemoryStorePorts } from '@account-import/core/in-memory'
import { joseAccessTokens, parseSigningKey } from '@account-import/adapter-access-tokens'
import type { ExecutionContext } from 'ava'
import { randomBytes } from 'node:crypto'
import type { Backend } from './backends.js'
import { rawApi, type RawApi } from './raw-api.js'
import { settableClock, type SettableClock } from '../../support/settable-clock.js'
import { setUp, type SetUp } from '../../support/set-up.js'

/** A served service with one client's organisation on a backend, and a clock of its own. */
export type World = SetUp &
  Readonly<{
    baseUrl: string
    /** The log so far. */
    logged: readonly LogEntry[]
    /** With all scopes. */
    client: Client
    clientWith(apiKey: string): Client
    raw: RawApi
    operator: OperatorUseCases
    stores: StorePorts
    clock: SettableClock
    key(externalAccountNumber: string): AccountKey
    /** Processes one account of the supplier under the team. */
    process(externalAccountNumber: string): ReturnType<Client['processAccount']>
  }>

export type WorldOptions = Readonly<{
  supplier?: string
  /** Take the place of the backend's and the world's own. */
  ports?: Partial<Ports>
}>

const accessTokens = () => {
  const key = parseSigningKey(randomBytes(32).toString('base64'))
  if (key === undefined) throw new Error('32 random bytes are a signing key')
  return joseAccessTokens(key)
}

/** Serves the service, as the server composes it, until the test ends; in memory, unless a backend is given. */
export const openWorld = async (
  t: ExecutionContext,
  backend: Backend = { name: 'in memory', stores: inMemoryStorePorts },
  options: WorldOptions = {},
): Promise<World> => {
  const clock = settableClock()
  const stores = backend.stores()
  const useCases = makeUseCases(
    inMemoryPorts({
      ...stores,
      accessTokens: accessTokens(),
      // Worlds on one backend have clients of one address, and clocks of their own.
      failedAttempts: inMemoryFailedAttempts(),
      clock,
      paymentVendors: paymentVendors([sandboxVendor()]),
      ...options.ports,
    }),
  )
  const logged: LogEntry[] = []
  const { baseUrl, close } = await listen(createApp(useCases, { log: (entry) => logged.push(entry) }))
  t.teardown(close)
  const made = await setUp(useCases.operator, options.supplier)
  const clientWith = (apiKey: string): Client => createClient({ baseUrl, apiKey })
  const client = clientWith(made.apiKey)
  const { organisation, supplier, team } = made
  return {
    ...made,
    baseUrl,
    logged,
    client,
    clientWith,
    raw: rawApi(baseUrl),
    operator: useCases.operator,
    stores,
    clock,
    key: (externalAccountNumber) => ({ organisation, importSupplier: supplier, externalAccountNumber }),
    process: (external_account_number) =>
      client.processAccount({
        external_account_number,
        import_supplier_code: supplier,
        operations_team_name: team,
      }),
  }
}
