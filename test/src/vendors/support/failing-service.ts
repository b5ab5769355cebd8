import { createApp } from '@account-import/adapter-http-koa'
import { listen } from '@account-import/adapter-http-koa/testing'
import { paymentVendors, type PaymentVendor } from '@account-import/adapter-payment-vendor'
import { makeUseCases, type PaymentVendors } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { createClient } from '@account-import/client'
import { gasAccount } from '../../support/samples.js'
import { setUp } from '../../support/set-up.js'
import { answer } from '../../support/answers.js'

/** How a request for a payment instruction was answered. */
export type Answered = Readonly<{
  status: number
  /** The code of a refusal, or `verified`. */
  code: string
  /** Of the header `Retry-After`. */
  retryAfterSeconds: number | undefined
  milliseconds: number
}>

/** The whole service over HTTP, with data in memory, and payment vendors that come as they are needed. */
export type FailingService = Readonly<{
  /** Makes an account, and a vendor that it may name. */
  open(
    vendor: PaymentVendor,
    reference: string,
  ): Promise<
    Readonly<{
      ask(): Promise<Answered>
      /** How many payment instructions the account has. */
      stored(): Promise<number>
    }>
  >
  stop(): Promise<void>
}>

const endpoint = '/v1/data-import/payment-instruction/create/'

/** The vendors that were added until a request came. */
const growing = () => {
  const added: PaymentVendor[] = []
  const port: PaymentVendors = {
    isRegistered: (code) => added.some((vendor) => vendor.code === code),
    takesReference: (code, reference) => paymentVendors(added).takesReference(code, reference),
    verify: (instruction) => paymentVendors(added).verify(instruction),
  }
  return { added, port }
}

const post = async (url: string, token: string, body: object): Promise<Answered> => {
  const begin = performance.now()
  const response = await fetch(url, {
    method: 'POST',
    headers: { Authorization: `Token ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { code = 'verified' } = (await response.json()) as { code?: string }
  const milliseconds = performance.now() - begin
  const retryAfter = response.headers.get('retry-after')
  return {
    status: response.status,
    code,
    retryAfterSeconds: retryAfter === null ? undefined : Number(retryAfter),
    milliseconds,
  }
}

export const startFailingService = async (): Promise<FailingService> => {
  const { added, port } = growing()
  const ports = inMemoryPorts({ paymentVendors: port })
  const useCases = makeUseCases(ports)
  const { baseUrl, close } = await listen(createApp(useCases, { log: () => undefined }))
  const { organisation, supplier, team, apiKey } = await setUp(useCases.operator)
  const credentials = { credentials: { apiKey }, address: '127.0.0.1' }
  const { token } = await answer(useCases.obtainToken(credentials))
  const client = createClient({ baseUrl, apiKey })

  const createAccount = async (external_account_number: string): Promise<void> => {
    await client.stageAccount(gasAccount(supplier, external_account_number))
    const account = { external_account_number, import_supplier_code: supplier }
    const { status } = await client.processAccount({ ...account, operations_team_name: team })
    if (status !== 201) throw new Error(`the account was not created: ${status}`)
  }

  const open: FailingService['open'] = async (vendor, reference) => {
    const code = `${vendor.code}-${added.length + 1}`
    added.push({ ...vendor, code })
    await createAccount(code)
    const body = {
      import_supplier: supplier,
      external_account_number: code,
      vendor: code,
      reference,
      type: 'CARD',
    }
    const key = { organisation, importSupplier: supplier, externalAccountNumber: code }
    return {
      ask: () => post(baseUrl + endpoint, token, body),
      stored: async () => {
        const account = await answer(ports.accounts.find(key))
        return account?.details.payment_instructions.length ?? -1
      },
    }
  }
  return { open, stop: close }
}
