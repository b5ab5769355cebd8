import {
  createImportService,
  type Ports,
  type ServiceResult,
  type StorePorts,
  type SupplierSettings,
} from '@account-import/core'
import { inMemoryPaymentVendors, inMemoryWebhookSender } from '@account-import/core/in-memory'
import { failedAnswer, interceptedPorts } from '../../support/intercepted-ports.js'
import { gasKey, organisation, processGas, sample, service } from './service.js'

export const valueOf = <Value>(result: ServiceResult<unknown, Value>): Value => {
  if (result.ok) return result.value
  throw new Error('a value was expected', { cause: result.refusal })
}

const reference = String(sample('payment-instruction')['reference'])

const paymentVendors = inMemoryPaymentVendors(
  new Map([['SANDBOX', new Map([[reference, { _tag: 'verified' as const, details: {} }]])]]),
)

/** Missing documents are warnings, so that every payload that names some reads the storage. */
const change = (settings: SupplierSettings): SupplierSettings => ({
  ...settings,
  migrationEmails: true,
  severities: { ...settings.severities, path_does_not_exist_in_file_store: 'warn' },
})

/**
 * A service with a created account, an e-mail for it and an API key, behind the plain functions; in memory, unless stores are
 * given, which have to be empty.
 */
export const plainWorld = async (yours: Partial<StorePorts> = {}) => {
  const { ports, clock } = await service({
    paymentVendors,
    webhookSender: inMemoryWebhookSender([]),
    ...yours,
  })
  const plain = createImportService(ports)
  valueOf(await plain.operator.configureSupplier({ code: gasKey.importSupplier, change }))
  valueOf(await plain.stageAccount({ organisation, payload: sample('gas-account') }))
  valueOf(await plain.processAccount({ organisation, payload: processGas }))
  const [claimed] = valueOf(await plain.emails.claimDue(1))
  if (claimed === undefined) throw new Error('an e-mail was expected')
  const { apiKey, record } = valueOf(await plain.operator.createApiKey({ organisation }))
  const { token } = valueOf(await plain.obtainToken({ credentials: { apiKey }, address: 'here' }))
  return { ports, clock, plain, claimed, apiKey, apiKeyId: record.id, token }
}

export type PlainWorld = Awaited<ReturnType<typeof plainWorld>>

/** The same world on other ports, as another server has it. */
export const onPorts = (world: PlainWorld, ports: Ports): PlainWorld => ({
  ...world,
  ports,
  plain: createImportService(ports),
})

/** The same world, on ports of which every operation fails that can be out of reach. */
export const withBrokenPorts = (world: PlainWorld): PlainWorld =>
  onPorts(
    world,
    interceptedPorts(world.ports, async (call, effect) =>
      call.port === 'secrets' ? effect() : failedAnswer(call, 'unavailable'),
    ),
  )
