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
 * A service with a created account, an e-mail for it and an API key, behind the import service; in memory, unless stores are
 * given, which have to be empty.
 */
export const serviceFixture = async (yours: Partial<StorePorts> = {}) => {
  const { ports, clock } = await service({
    paymentVendors,
    webhookSender: inMemoryWebhookSender([]),
    ...yours,
  })
  const imports = createImportService(ports)
  valueOf(await imports.operator.configureSupplier({ code: gasKey.importSupplier, change }))
  valueOf(await imports.stageAccount({ organisation, payload: sample('gas-account') }))
  valueOf(await imports.processAccount({ organisation, payload: processGas }))
  const [claimed] = valueOf(await imports.emails.claimDue(1))
  if (claimed === undefined) throw new Error('an e-mail was expected')
  const { apiKey, record } = valueOf(await imports.operator.createApiKey({ organisation }))
  const { token } = valueOf(await imports.obtainToken({ credentials: { apiKey }, address: 'here' }))
  return { ports, clock, imports, claimed, apiKey, apiKeyId: record.id, token }
}

export type ServiceFixture = Awaited<ReturnType<typeof serviceFixture>>

/** The same fixture on other ports, as another server has it. */
export const onPorts = (fixture: ServiceFixture, ports: Ports): ServiceFixture => ({
  ...fixture,
  ports,
  imports: createImportService(ports),
})

/** The same fixture, on ports of which every operation fails that can be out of reach. */
export const withBrokenPorts = (fixture: ServiceFixture): ServiceFixture =>
  onPorts(
    fixture,
    interceptedPorts(fixture.ports, async (call, effect) =>
      call.port === 'secrets' ? effect() : failedAnswer(call, 'unavailable'),
    ),
  )
