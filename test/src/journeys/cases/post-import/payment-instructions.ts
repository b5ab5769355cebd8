import type { JsonObject } from '@account-import/client'
import { catalogue, type ErrorCode, type PaymentVendors } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'
import { paymentVendors, sandboxVendor } from '@account-import/adapter-payment-vendor'
import { answer } from '../../../support/answers.js'
import { additionTo, createdAccount, storedDetails } from '../../support/additions.js'
import type { Journey } from '../../support/journey.js'
import { failureOf, successOf } from '../../../support/results.js'
import { tokenOf } from '../../support/token-of.js'

const file = 'payment-instruction.json'
const path = '/v1/data-import/payment-instruction/create/'

/** The sandbox, and how often it was asked. */
const countingSandbox = (): Readonly<{ vendors: PaymentVendors; asked: () => number }> => {
  const sandbox = paymentVendors([sandboxVendor()])
  let asked = 0
  return {
    vendors: {
      ...sandbox,
      verify: (instruction) => {
        asked += 1
        return sandbox.verify(instruction)
      },
    },
    asked: () => asked,
  }
}

const sampleTwice: Journey = {
  title:
    'the sample instruction is verified and stored with what the vendor told; again answers the same, asking nobody',
  run: async (t, open) => {
    const { vendors, asked } = countingSandbox()
    const world = await open({ ports: { paymentVendors: vendors } })
    const { client, supplier, stores, key } = world
    await createdAccount(world)
    const request = additionTo(file, supplier, 'A-1')
    const first = successOf(await client.addPaymentInstruction(request))
    const account = await answer(stores.accounts.find(key('A-1')))
    t.deepEqual(
      [first.status, first.body, first.warningsTotal],
      [
        201,
        { platform_account_number: account?.platformAccountNumber ?? '', reference: 'sandbox-card-000123' },
        0,
      ],
    )
    const stored = (await storedDetails(world)).payment_instructions
    t.is(stored.length, 1)
    t.like(stored[0], { vendor: 'SANDBOX', reference: 'sandbox-card-000123', type: 'CARD' })
    t.like(stored[0]?.details, { brand: 'SANDBOX', last4: '4242', expiry: '2099-12' })
    const second = successOf(await client.addPaymentInstruction({ ...request, type: 'CUSTOM' } as JsonObject))
    t.deepEqual([second.status, second.body], [201, first.body])
    t.deepEqual((await storedDetails(world)).payment_instructions, stored)
    t.is(asked(), 1)
  },
}

const outcomes = [
  ['sandbox-missing-1', 400, 'payment_instruction_not_found'],
  ['sandbox-unusable-1', 400, 'payment_instruction_not_usable'],
  ['sandbox-refused-1', 400, 'payment_vendor_refused'],
  ['sandbox-unavailable-1', 500, 'payment_vendor_unavailable'],
  ['sandbox-unreachable-1', 400, 'payment_vendor_unreachable'],
] as const satisfies readonly (readonly [string, number, ErrorCode])[]

const notVerified: Journey = {
  title: 'what the vendor does not verify is answered with its code and the instruction, and not stored',
  run: async (t, open) => {
    const world = await open()
    const { supplier, raw, apiKey } = world
    await createdAccount(world)
    const token = await tokenOf(raw, apiKey)
    for (const [reference, expected, code] of outcomes) {
      const request = { ...additionTo(file, supplier, 'A-1'), reference }
      const { status, headers, text } = await raw.post(path, token, request)
      t.is(status, expected, reference)
      t.deepEqual(JSON.parse(text), {
        detail: catalogue[code].detail,
        code,
        errors: [],
        error_detail: catalogue[code].detail,
        external_account_number: 'A-1',
        import_supplier: supplier,
        reference,
      })
      const retryAfter = headers['retry-after']
      if (code === 'payment_vendor_unavailable') t.regex(retryAfter ?? '', /^[1-9]\d*$/)
      else t.is(retryAfter, undefined, reference)
    }
    t.deepEqual((await storedDetails(world)).payment_instructions, [])
  },
}

const unregistered: Journey = {
  title:
    'a vendor that is not set up is an entry among the others, and no vendor is asked before all else is right',
  run: async (t, open) => {
    const { vendors, asked } = countingSandbox()
    const world = await open({ ports: { paymentVendors: vendors } })
    const { client, supplier, operator } = world
    await createdAccount(world)
    const request = additionTo(file, supplier, 'A-1')
    const { problem } = failureOf(
      await client.addPaymentInstruction({
        ...request,
        vendor: 'sandbox',
        type: 'card',
        reference: ' ',
      } as JsonObject),
    )
    t.is(problem.code, 'request_failed_validation')
    t.deepEqual(
      problem.errors.map(({ attr, code }) => `${attr} ${code}`),
      ['vendor payment_vendor_not_registered', 'reference blank', 'type invalid_choice'],
    )
    t.is(
      failureOf(
        await client.addPaymentInstruction({ ...request, external_account_number: 'none' } as JsonObject),
      ).status,
      404,
    )
    await answer(operator.setSupplierStatus({ code: supplier, status: 'paused' }))
    t.is(failureOf(await client.addPaymentInstruction(request)).status, 400)
    t.is(asked(), 0)
  },
}

const meanwhile: Journey = {
  title:
    'a slow vendor holds nothing up: the account takes notes meanwhile, and equal instructions are stored once',
  run: async (t, open) => {
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let asked = 0
    const slow: PaymentVendors = {
      isRegistered: () => true,
      takesReference: () => true,
      verify: () => async () => {
        asked += 1
        await held
        return TE.right({ _tag: 'verified' as const, details: { last4: '4242' } })()
      },
    }
    const world = await open({ ports: { paymentVendors: slow } })
    const { client, supplier } = world
    await createdAccount(world)
    const waiting = Array.from({ length: 3 }, () =>
      client.addPaymentInstruction(additionTo(file, supplier, 'A-1')),
    )
    while (asked < 3) await new Promise((resolve) => setTimeout(resolve, 5))
    successOf(await client.addNotes(additionTo('notes.json', supplier, 'A-1')))
    t.deepEqual((await storedDetails(world)).payment_instructions, [])
    release()
    const bodies = (await Promise.all(waiting)).map((result) => successOf(result).body)
    t.deepEqual(bodies[1], bodies[0])
    t.deepEqual(bodies[2], bodies[0])
    t.is((await storedDetails(world)).payment_instructions.length, 1)
  },
}

/** POST payment-instruction/create, through the client. */
export const paymentInstructionJourneys: readonly Journey[] = [
  sampleTwice,
  notVerified,
  unregistered,
  meanwhile,
]
