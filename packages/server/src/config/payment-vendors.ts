import { readFileSync } from 'node:fs'
import { validateHeaderValue } from 'node:http'
import { isIP } from 'node:net'
import { mayBeAsked } from '@account-import/adapter-payment-vendor'
import { withoutBrackets } from '@account-import/core/adapter-kit'
import { E, type Either } from '@account-import/core/fp'
import * as t from 'io-ts'
import { type ConfigFault, type Environment, textCodec } from '@account-import/cli/kit'

const matching = (name: string, holds: (text: string) => boolean) => t.refinement(t.string, holds, name)

const code = matching('a code of 1 to 64 characters', (text) => /^\S{1,64}$/.test(text))

const variableName = matching('the name of an environment variable', (text) =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(text),
)

/** An empty list would match no response, so that every instruction would be refused. */
const someTexts = t.refinement(t.array(t.string), (texts) => texts.length > 0, 'a list of at least one text')

const isPointer = (text: string): boolean => /^(?:\/(?:[^~/]|~[01])+)+$/.test(text)

const fieldPath = matching('a path such as card.brand or /card/brand', (text) =>
  text.startsWith('/') ? isPointer(text) : /^[^.\s]+(\.[^.\s]+)*$/.test(text),
)

/** The expression for a match of the whole text. */
export const wholePattern = (text: string): RegExp => new RegExp(`^(?:${text})$`, 'u')

const pattern = matching('a regular expression of at most 500 characters', (text) => {
  try {
    return text.length <= 500 && wholePattern(text).source !== ''
  } catch {
    return false
  }
})

/** Headers of the connection, which only the adapter may set. */
const ownHeaders: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'host',
  'transfer-encoding',
  'upgrade',
])

const mayBeSet = (header: string): boolean =>
  /^[!#$%&'*+.^_`|~\w-]+$/.test(header) && !ownHeaders.has(header.toLowerCase())

/** The environment variable of each header. */
const headerVariables = t.refinement(
  t.record(t.string, variableName),
  (headers) => Object.keys(headers).every(mayBeSet),
  `headers other than ${[...ownHeaders].join(', ')}, with the names of environment variables`,
)

const parsed = (text: string): URL | undefined =>
  URL.canParse(text) && /^https?:\/\//.test(text) ? new URL(text) : undefined

/** Whether a host is this machine, or an address that is not on the internet. */
const isPrivate = ({ hostname }: URL): boolean => {
  const host = withoutBrackets(hostname)
  return isIP(host) === 0 ? /^localhost\.?$/.test(host) : !mayBeAsked(host, false)
}

const hasNoExtras = (url: URL): boolean => url.username === '' && url.password === '' && url.hash === ''

/** Requests contain credentials, so outside of private networks they have to be encrypted. */
const isSafe = (url: URL): boolean => url.protocol === 'https:' || isPrivate(url)

const hasNoPath = (url: URL): boolean => url.pathname === '/' && url.search === ''

const vendorAddress = matching(
  'an address https://host:port without a path (http:// only for an address of the own network)',
  (text) => {
    const url = parsed(text)
    return url !== undefined && isSafe(url) && hasNoExtras(url) && hasNoPath(url)
  },
)

const withReference = (template: string, reference: string): URL | undefined =>
  parsed(template.replaceAll(/\{(reference|type)\}/g, reference))

/** The reference may change the path and query of a request, but not its host. */
const templateAddress = matching(
  'an address that begins with https:// or http:// and contains {reference} in its path or query',
  (text) => {
    const url = withReference(text, 'a')
    const other = withReference(text, 'b')
    return (
      text.includes('{reference}') &&
      url !== undefined &&
      hasNoExtras(url) &&
      url.origin === other?.origin &&
      `${url.pathname}${url.search}` !== `${other.pathname}${other.search}`
    )
  },
)

/** Whether requests to the template lack TLS, or go to an address that is not on the internet. */
const needsPrivateAddress = (template: string): boolean => {
  const url = withReference(template, 'a')
  return url !== undefined && (url.protocol === 'http:' || isPrivate(url))
}

/** Settings of every kind: the organisations that may use the vendor. Default: all. */
const bound = t.partial({ organisations: someTexts })

const sandboxKind = t.intersection([t.type({ code, kind: t.literal('sandbox') }), bound])

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

/** An entry of the file of payment vendors; docs/how-to/connect-a-payment-vendor.md shows such files. */
type VendorSettings = t.TypeOf<typeof sandboxKind> | t.TypeOf<typeof stripe> | t.TypeOf<typeof httpJson>

type Kind = Readonly<{ codec: t.Decoder<unknown, VendorSettings>; keys: readonly string[] }>

const keysOf = (...parts: readonly Readonly<{ props: t.Props }>[]): readonly string[] =>
  parts.flatMap(({ props }) => Object.keys(props))

/** The codec of each kind, for exact faults, and the allowed keys of its entries. */
const paymentVendorKinds: ReadonlyMap<unknown, Kind> = new Map<unknown, Kind>([
  ['sandbox', { codec: sandboxKind, keys: keysOf(...sandboxKind.types) }],
  ['stripe', { codec: stripe, keys: keysOf(...stripe.types) }],
  ['http-json', { codec: httpJson, keys: keysOf(...httpJson.types) }],
])

/** The keys of the details of an `http-json` vendor. */
const detailKeys = keysOf(details)

type Entry = Readonly<Record<string, unknown>>

/** The path of a wrong value and the expected type, without the value, which may be secret. */
const faultOf = (at: string, { context }: t.ValidationError): string => {
  const isMember = (index: number): boolean => context[index - 1]?.type instanceof t.IntersectionType
  const path = context.flatMap(({ key }, index) => (key === '' || isMember(index) ? [] : [key]))
  return `${[at, ...path].join('.')} must be ${context.at(-1)?.type.name ?? 'valid'}`
}

/** Refuses unknown keys: a misspelt key would be ignored. */
const unknownKeys = (at: string, entry: unknown, known: readonly string[]): readonly string[] =>
  t.UnknownRecord.is(entry) && Object.keys(entry).some((key) => !known.includes(key))
    ? [`${at} may have only ${known.join(', ')}`]
    : []

/** A vendor in a private network requires an explicit setting, as there may be other servers in that network. */
const unmeantPrivate = (at: string, vendor: VendorSettings): readonly string[] =>
  vendor.kind === 'http-json' && vendor.allow_private_address !== true && needsPrivateAddress(vendor.url)
    ? [`${at}.allow_private_address must be true for http:// and for addresses of the own network`]
    : []

/** One vendor, or all its faults with their paths, without quoted values. */
const vendorIn = (at: string, entry: Entry): Either<readonly string[], VendorSettings> => {
  const kind = paymentVendorKinds.get(entry['kind'])
  if (kind === undefined)
    return E.left([`${at}.kind must be one of ${[...paymentVendorKinds.keys()].join(', ')}`])
  const decoded = kind.codec.decode(entry)
  const faults = [
    ...unknownKeys(at, entry, kind.keys),
    ...(kind.keys.includes('details') ? unknownKeys(`${at}.details`, entry['details'], detailKeys) : []),
    ...(decoded._tag === 'Left'
      ? decoded.left.map((error) => faultOf(at, error))
      : unmeantPrivate(at, decoded.right)),
  ]
  return decoded._tag === 'Left' || faults.length > 0 ? E.left(faults) : decoded
}

const repeatedCodes = (entries: readonly Entry[]): readonly string[] =>
  entries.flatMap(({ code }, index) =>
    typeof code === 'string' && entries.findIndex((other) => other['code'] === code) < index
      ? [`vendors.${index}.code is taken by a vendor before it`]
      : [],
  )

/** The vendors of the file, or all their faults. */
const vendorsIn = (entries: readonly Entry[]): Either<readonly string[], readonly VendorSettings[]> => {
  const read = entries.map((entry, index) => vendorIn(`vendors.${index}`, entry))
  const faults = [
    ...read.flatMap((vendor) => (vendor._tag === 'Left' ? vendor.left : [])),
    ...repeatedCodes(entries),
  ]
  return faults.length > 0
    ? E.left([...new Set(faults)])
    : E.right(read.flatMap((vendor) => (vendor._tag === 'Right' ? [vendor.right] : [])))
}

const sandbox: VendorSettings = { code: 'SANDBOX', kind: 'sandbox' }

const file = t.type({ vendors: t.array(t.UnknownRecord) })

const wrongFile = (fault: string): Either<string, never> =>
  E.left(`must be SANDBOX, none or the path of a JSON file of payment vendors: ${fault}`)

const readVendors = (path: string): Either<string, readonly VendorSettings[]> => {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return E.left('must be SANDBOX, none or the path of a JSON file that can be read')
  }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return wrongFile('this one is no JSON')
  }
  const content = file.decode(json)
  if (content._tag === 'Left' || content.right.vendors.length === 0)
    return wrongFile('it must contain {"vendors": [...]} with at least one object')
  const vendors = vendorsIn(content.right.vendors)
  return vendors._tag === 'Left' ? wrongFile(vendors.left.join('; ')) : vendors
}

/** `SANDBOX` for the sandbox alone, `none`, or the path of a JSON file of vendors. */
export const paymentVendors = textCodec<readonly VendorSettings[]>((text) => {
  if (text === 'none') return E.right([])
  return text === 'SANDBOX' ? E.right([sandbox]) : readVendors(text)
})

/** The values of the variables that payment vendors name, by the names of the variables. */
export type VendorSecrets = ReadonlyMap<string, string>

const namesIn = (entry: VendorSettings): readonly string[] => {
  if (entry.kind === 'stripe') return [entry.secret_key_env]
  return entry.kind === 'http-json' ? Object.values(entry.headers_env ?? {}) : []
}

const canBeSent = (text: string): boolean => {
  try {
    validateHeaderValue('authorization', text)
    return true
  } catch {
    return false
  }
}

/** The fault of a variable's text for a vendor; undefined for a usable text. */
const secretFault = ({ kind }: VendorSettings, text: string): string | undefined => {
  if (text.trim() === '') return 'is not set'
  if (!canBeSent(text)) return 'has characters that cannot be sent in a header'
  return kind === 'stripe' && !/^(?:rk|sk)_/.test(text)
    ? 'must be a secret key, best a restricted one, that begins with rk_'
    : undefined
}

/** Reads the variables that vendors name. Faults do not quote the text of a variable. */
export const readVendorSecrets = (
  vendors: readonly VendorSettings[],
  environment: Environment,
): Readonly<{ secrets: VendorSecrets; faults: readonly ConfigFault[] }> => {
  const secrets = new Map<string, string>()
  const faults: ConfigFault[] = []
  for (const vendor of vendors)
    for (const variable of namesIn(vendor)) {
      const text = environment[variable] ?? ''
      const detail = secretFault(vendor, text)
      if (detail === undefined) secrets.set(variable, text)
      else faults.push({ variable, detail: `${detail}, and the payment vendor ${vendor.code} needs it` })
    }
  return { secrets, faults }
}
