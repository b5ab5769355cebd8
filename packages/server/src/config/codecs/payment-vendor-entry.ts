import * as t from 'io-ts'

const matching = (name: string, holds: (text: string) => boolean) => t.refinement(t.string, holds, name)

const code = matching('a code of 1 to 64 characters', (text) => /^\S{1,64}$/.test(text))
const variableName = matching('the name of an environment variable', (text) =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(text),
)
const dottedPath = matching('a path such as card.brand', (text) => /^[^.\s]+(\.[^.\s]+)*$/.test(text))
const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:\/\//.test(text)
const webAddress = matching('an address that begins with https:// or http://', isWebAddress)
const addressTemplate = matching(
  'an address that begins with https:// or http:// and holds {reference}',
  (text) => isWebAddress(text.replace(/\{(reference|type)\}/g, 'x')) && text.includes('{reference}'),
)

const sandbox = t.type({ code, kind: t.literal('sandbox') })

const stripe = t.intersection([
  t.type({ code, kind: t.literal('stripe'), secret_key_env: variableName }),
  t.partial({ base_url: webAddress }),
])

const httpJson = t.intersection([
  t.type({
    code,
    kind: t.literal('http-json'),
    url: addressTemplate,
    usable: t.type({ path: dottedPath, in: t.array(t.string) }),
  }),
  t.partial({
    headers_env: t.record(t.string, variableName),
    details: t.partial({ brand: dottedPath, last4: dottedPath, expiry: dottedPath }),
    allow_private_address: t.boolean,
  }),
])

/** One payment vendor as the file of vendors names it: decisions, section 9. */
export type PaymentVendorEntry =
  | t.TypeOf<typeof sandbox>
  | t.TypeOf<typeof stripe>
  | t.TypeOf<typeof httpJson>

/** The codec of each kind, so that faults are told of the kind that was meant. */
export const paymentVendorKinds: ReadonlyMap<unknown, t.Decoder<unknown, PaymentVendorEntry>> = new Map<
  unknown,
  t.Decoder<unknown, PaymentVendorEntry>
>([
  ['sandbox', sandbox],
  ['stripe', stripe],
  ['http-json', httpJson],
])
