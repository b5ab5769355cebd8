import * as t from 'io-ts'
import {
  code,
  fieldPath,
  headerVariables,
  pattern,
  someTexts,
  templateAddress,
  variableName,
  vendorAddress,
} from './vendor-texts.js'

/** Settings of every kind: the organisations that may use the vendor, all where that is left out. */
const bound = t.partial({ organisations: someTexts })

const sandbox = t.intersection([t.type({ code, kind: t.literal('sandbox') }), bound])

const stripe = t.intersection([
  t.type({ code, kind: t.literal('stripe'), secret_key_env: variableName }),
  t.partial({ base_url: vendorAddress }),
  bound,
])

const rule = t.type({ path: fieldPath, in: someTexts })

const details = t.partial({
  brand: fieldPath,
  last4: fieldPath,
  expiry: fieldPath,
  expiry_month: fieldPath,
  expiry_year: fieldPath,
  method: fieldPath,
  country: fieldPath,
  customer_id: fieldPath,
  mandate_id: fieldPath,
  status: fieldPath,
})

const httpJson = t.intersection([
  t.type({ code, kind: t.literal('http-json'), url: templateAddress, usable: rule }),
  t.partial({
    headers_env: headerVariables,
    details,
    not_found: rule,
    type: t.type({ path: fieldPath, of: t.record(t.string, someTexts) }),
    reference: fieldPath,
    reference_pattern: pattern,
    allow_private_address: t.boolean,
  }),
  bound,
])

/** One payment vendor as the file of vendors names it; docs/how-to/connect-a-payment-vendor.md shows such files. */
export type VendorSettings = t.TypeOf<typeof sandbox> | t.TypeOf<typeof stripe> | t.TypeOf<typeof httpJson>

type Kind = Readonly<{ codec: t.Decoder<unknown, VendorSettings>; keys: readonly string[] }>

const keysOf = (...parts: readonly Readonly<{ props: t.Props }>[]): readonly string[] =>
  parts.flatMap(({ props }) => Object.keys(props))

/** The codec of each kind, so that faults are told of the kind that was meant, and the keys that its entries have. */
export const paymentVendorKinds: ReadonlyMap<unknown, Kind> = new Map<unknown, Kind>([
  ['sandbox', { codec: sandbox, keys: keysOf(...sandbox.types) }],
  ['stripe', { codec: stripe, keys: keysOf(...stripe.types) }],
  ['http-json', { codec: httpJson, keys: keysOf(...httpJson.types) }],
])

/** The keys of the details of an `http-json` vendor. */
export const detailKeys = keysOf(details)
