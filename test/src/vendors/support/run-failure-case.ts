import { createApp } from '@account-import/adapter-http-koa'
import { listen } from '@account-import/adapter-http-koa/testing'
import {
  guardedVendor,
  type PaymentVendor,
  paymentVendors,
  type VendorAsked,
  VendorFailure,
} from '@account-import/adapter-payment-vendor'
import { createClient } from '@account-import/client'
import { makeUseCases, type PaymentVendors, type PaymentVerification } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { freePort } from '@account-import/test/servers'
import { answer } from '../../support/answers.js'
import { gasAccount } from '../../support/samples.js'
import { setUp } from '../../support/set-up.js'
import type { FailureCase } from './failure-cases.js'
import type { VendorKind } from './vendor-kinds.js'
import { startVendorServer } from './vendor-server.js'

/** How a request for a payment instruction was answered. */
type Answered = Readonly<{
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

/** The quickest of some answers, to the caller and by the guard, and the most tries of all of them. */
type Broken = Answered & Readonly<{ tries: number; guardMilliseconds: number }>

/** What one run of a case has shown. */
export type FailureRun = Readonly<{
  first: Answered
  /** How the vendor was asked the first time. */
  asked: VendorAsked | undefined
  requests: number
  /** With the breaker open; absent where it never opens. */
  broken?: Broken
  /** How many payment instructions the account has in the end. */
  stored: number
}>

const answers: Readonly<Record<PaymentVerification['_tag'], readonly [status: number, code: string]>> = {
  verified: [201, 'verified'],
  not_found: [400, 'payment_instruction_not_found'],
  not_usable: [400, 'payment_instruction_not_usable'],
  refused: [400, 'payment_vendor_refused'],
  unavailable: [500, 'payment_vendor_unavailable'],
  unreachable: [400, 'payment_vendor_unreachable'],
}

/** Whether enough of these in a row open the breaker: not what a client may bring about by what it asks for. */
export const opensBreaker = ({ failure }: FailureCase): boolean =>
  failure !== undefined && new VendorFailure(failure).isOfVendor

const originOf = async ({ behaviour, resolve, tls = false }: FailureCase, kind: VendorKind) => {
  if (resolve !== undefined)
    return { origin: 'https://vendor.example', requests: [], stop: async () => undefined }
  if (behaviour !== undefined) return startVendorServer(behaviour(kind), { tls })
  return { origin: `http://127.0.0.1:${await freePort()}`, requests: [], stop: async () => undefined }
}

/** The quickest of three: what the machine does besides is not the breaker's time. */
const whileBroken = async (ask: () => Promise<Answered>, asked: readonly VendorAsked[]): Promise<Broken> => {
  const first = await ask()
  const answered = [first, await ask(), await ask()]
  const guards = asked.slice(-answered.length)
  return {
    ...answered.reduce((best, one) => (one.milliseconds < best.milliseconds ? one : best), first),
    tries: Math.max(...guards.map(({ tries }) => tries)),
    guardMilliseconds: Math.min(...guards.map(({ milliseconds }) => milliseconds)),
  }
}

/** Asks for an instruction of a vendor that fails so once, then until its breaker is open, and again. */
export const runFailureCase = async (
  service: FailingService,
  kind: VendorKind,
  failureCase: FailureCase,
): Promise<FailureRun> => {
  const server = await originOf(failureCase, kind)
  const asked: VendorAsked[] = []
  const client = kind.client(
    server.origin,
    failureCase.resolve === undefined ? {} : { resolve: failureCase.resolve },
  )
  const vendor = guardedVendor(client, { onAsked: (one) => asked.push(one) })
  try {
    const { ask, stored } = await service.open(vendor, kind.reference)
    const first = await ask()
    const run = { first, asked: asked[0], requests: server.requests.length }
    if (!opensBreaker(failureCase)) return { ...run, stored: await stored() }
    await Promise.all(Array.from({ length: 5 }, ask))
    const broken = await whileBroken(ask, asked)
    return { ...run, broken, stored: await stored() }
  } finally {
    await server.stop()
  }
}

const unless = (holds: boolean, wrong: string): readonly string[] => (holds ? [] : [wrong])

/** What of a run is not as the case wants it; times are left to the caller. */
export const wrongIn = (
  failureCase: FailureCase,
  { first, asked, requests, broken, stored }: FailureRun,
): readonly string[] => {
  const [status, code] = answers[failureCase.outcome]
  const { retryAfterSeconds } = failureCase
  return [
    ...unless(first.status === status && first.code === code, `${first.status} ${first.code}`),
    ...unless(asked?.failure === failureCase.failure, `failure ${asked?.failure}`),
    ...unless(requests <= (failureCase.requests ?? 3), `${requests} requests`),
    ...unless(
      (first.retryAfterSeconds !== undefined) === (failureCase.outcome === 'unavailable'),
      'retry after',
    ),
    ...unless(
      retryAfterSeconds === undefined || first.retryAfterSeconds === retryAfterSeconds,
      `retry after ${first.retryAfterSeconds}`,
    ),
    ...unless(broken === undefined || broken.tries === 0, `${broken?.tries} tries with the breaker open`),
    ...unless(broken === undefined || broken.code === code, `${broken?.code} with the breaker open`),
    ...unless(stored === (failureCase.outcome === 'verified' ? 1 : 0), `${stored} stored`),
  ]
}
