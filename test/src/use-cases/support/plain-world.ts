import {
  makeUseCases,
  plainUseCases,
  portFailure,
  type ClaimedEmail,
  type PlainResult,
  type PlainUseCases,
  type Ports,
  type SupplierSettings,
} from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'
import { inMemoryPaymentVendors } from '@account-import/core/in-memory'
import { sample } from './samples.js'
import { gasKey, organisation, processGas, service } from './service.js'

export const valueOf = <Value>(result: PlainResult<unknown, Value>): Value => {
  if (result.ok) return result.value
  throw new Error('a value was expected', { cause: result.refusal })
}

/** A service with a created account, an e-mail for it and an API key, behind the plain functions. */
export type PlainWorld = Readonly<{
  ports: Ports
  plain: PlainUseCases
  claimed: ClaimedEmail
  apiKey: string
  apiKeyId: string
  token: string
}>

const reference = String(sample('payment-instruction')['reference'])

const paymentVendors = inMemoryPaymentVendors(
  new Map([['SANDBOX', new Map([[reference, { _tag: 'verified' as const, details: {} }]])]]),
)

export const plainWorld = async (): Promise<PlainWorld> => {
  const { ports, useCases } = await service({ paymentVendors })
  const plain = plainUseCases(useCases)
  const change = (settings: SupplierSettings) => ({ ...settings, migrationEmails: true })
  valueOf(await plain.operator.configureSupplier({ code: gasKey.importSupplier, change }))
  valueOf(await plain.stageAccount({ organisation, payload: sample('gas-account') }))
  valueOf(await plain.processAccount({ organisation, payload: processGas }))
  const [claimed] = valueOf(await plain.emails.claimDue(1))
  if (claimed === undefined) throw new Error('an e-mail was expected')
  const { apiKey, record } = valueOf(await plain.operator.createApiKey({ organisation }))
  const { token } = valueOf(await plain.obtainToken({ credentials: { apiKey }, address: 'here' }))
  return { ports, plain, claimed, apiKey, apiKeyId: record.id, token }
}

const breakable = [
  'accessTokens',
  'accountImports',
  'accounts',
  'apiKeys',
  'documentReferences',
  'documents',
  'failedAttempts',
  'importSuppliers',
  'operationsTeams',
  'organisations',
  'outbox',
  'refreshTokens',
  'unitOfWork',
] as const satisfies readonly (keyof Ports)[]

/** The same world, on ports of which every operation fails. */
export const withBrokenPorts = (world: PlainWorld): PlainWorld => {
  const failed = (port: string, operation: string) => () =>
    TE.left(portFailure('unavailable', port, operation, new Error('made to fail')))
  const broken = breakable.map((port) => [
    port,
    Object.fromEntries(Object.keys(world.ports[port]).map((name) => [name, failed(port, name)])),
  ])
  const ports: Ports = { ...world.ports, ...Object.fromEntries(broken) }
  return { ...world, ports, plain: plainUseCases(makeUseCases(ports)) }
}
